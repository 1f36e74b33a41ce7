"""NumPy as if its arrays could not be written: a backend to test aliases of immutable arrays with."""

from gradarray.backend import register
from gradarray_numpy import NumPyBackend


class FrozenBackend(NumPyBackend):
    """NumPy whose arrays are written nowhere but in the copy that the generic ``assign`` makes."""

    name = "frozen"
    immutable = True

    def is_writable(self, raw):
        return True

    def updater(self, name, raw, other):
        raise AssertionError("an immutable array is updated in place")

    def snapshot(self, raw):
        raise AssertionError("an immutable array needs no snapshot")

    def references(self, raw):
        return None

    def is_owner(self, raw):
        return False


register(FrozenBackend())
