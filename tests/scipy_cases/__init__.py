"""Inputs at which the functions of `gradarray.scipy` are compared with finite differences, one module for each room."""
