"""Special functions: every input that has a derivative."""

import numpy as np
from gradient_cases import Case, complex_, positive, real

import gradarray as ga

UNIT = np.asarray([0.15, 0.4, 0.62, 0.91])
BOTH = np.asarray([-1.3, -0.4, 0.7, 1.9])
ABOVE = np.asarray([0.6, 1.4, 2.3, 3.1])
SMALL = complex_(3) / 4

#: By name: points for a function of one element, within its domain.
OF_ONE = {
    **dict.fromkeys(
        "cbrt cosdg cosm1 cotdg dawsn erf erfc erfcx erfi exp10 exp2 expit expi exprel gamma gammaln i0 i0e i1 i1e j0 "
        "j1 log_expit log_ndtr ndtr psi rgamma sinc sindg tandg wrightomega".split(),
        BOTH,
    ),
    **dict.fromkeys("ellipe ellipk ellipkm1 entr erfinv logit ndtri".split(), UNIT),
    **dict.fromkeys("erfcinv exp1 k0 k0e k1 k1e loggamma spence y0 y1".split(), ABOVE),
    "erfcinv": UNIT * 2,
    "ndtri_exp": -ABOVE,
    "lambertw": ABOVE,
}
#: Functions that are holomorphic.
COMPLEX = "dawsn erf erfc erfcx erfi exp1 expi gamma log_ndtr loggamma ndtr rgamma sinc spence wofz wrightomega".split()
#: By name: a point for each operand of a function of several, and which of them have a derivative.
OF_SEVERAL = {
    "bdtr": ((2.0, 7, UNIT), "  p"),
    "bdtrc": ((2.0, 7, UNIT), "  p"),
    "bdtri": ((2.0, 7, UNIT), "  y"),
    "beta": ((ABOVE, positive(4)), "ab"),
    "betainc": ((1.7, 2.2, UNIT), "  x"),
    "betaincc": ((1.7, 2.2, UNIT), "  x"),
    "betainccinv": ((1.7, 2.2, UNIT), "  y"),
    "betaincinv": ((1.7, 2.2, UNIT), "  y"),
    "betaln": ((ABOVE, positive(4)), "ab"),
    "binom": ((ABOVE + 3, positive(4)), "nk"),
    "boxcox": ((ABOVE, np.asarray([0.0, -0.7, 0.3, 1.1])), "xl"),
    "boxcox1p": ((UNIT, np.asarray([0.0, -0.7, 0.3, 1.1])), "xl"),
    "chdtr": ((3.5, ABOVE), " x"),
    "chdtrc": ((3.5, ABOVE), " x"),
    "chdtri": ((3.5, UNIT), " p"),
    "ellipeinc": ((UNIT, UNIT[::-1] - 0.01), "pm"),
    "ellipkinc": ((UNIT, UNIT[::-1] - 0.01), "pm"),
    "expn": ((np.asarray([0.0, 1.0, 2.0, 5.0]), ABOVE), " x"),
    "fdtr": ((3.0, 5.0, ABOVE), "  x"),
    "fdtrc": ((3.0, 5.0, ABOVE), "  x"),
    "fdtri": ((3.0, 5.0, UNIT), "  p"),
    "gammainc": ((1.8, ABOVE), " x"),
    "gammaincc": ((1.8, ABOVE), " x"),
    "gammainccinv": ((1.8, UNIT), " y"),
    "gammaincinv": ((1.8, UNIT), " y"),
    "gdtr": ((positive(4), 1.7, ABOVE), "a x"),
    "gdtrc": ((positive(4), 1.7, ABOVE), "a x"),
    "huber": ((np.asarray([1.0, 1.2, 0.5, 3.0]), BOTH), "dr"),
    "hyp0f1": ((1.7, BOTH), " z"),
    "hyp1f1": ((0.7, 1.9, BOTH), "  x"),
    "hyp2f1": ((0.7, 1.2, 2.3, UNIT / 2), "   z"),
    "inv_boxcox": ((UNIT, np.asarray([0.0, -0.7, 0.3, 1.1])), "yl"),
    "inv_boxcox1p": ((UNIT, np.asarray([0.0, -0.7, 0.3, 1.1])), "yl"),
    "iv": ((1.3, ABOVE), " z"),
    "ive": ((1.3, ABOVE), " z"),
    "jv": ((1.3, ABOVE), " z"),
    "kl_div": ((ABOVE, positive(4)), "xy"),
    "kv": ((1.3, ABOVE), " z"),
    "kve": ((1.3, ABOVE), " z"),
    "lpmv": ((1.0, 2.0, UNIT), "  x"),
    "nbdtr": ((2.0, 7.0, UNIT), "  p"),
    "nbdtrc": ((2.0, 7.0, UNIT), "  p"),
    "nbdtri": ((2.0, 7.0, UNIT), "  y"),
    "owens_t": ((BOTH, UNIT), "ha"),
    "pdtr": ((2.0, ABOVE), " m"),
    "pdtrc": ((2.0, ABOVE), " m"),
    "pdtri": ((2, UNIT), " y"),
    "poch": ((ABOVE, positive(4)), "zm"),
    "polygamma": ((2.0, ABOVE), " x"),
    "pseudo_huber": ((ABOVE, BOTH), "dr"),
    "radian": ((BOTH, ABOVE, UNIT), "dms"),
    "rel_entr": ((ABOVE, positive(4)), "xy"),
    "stdtr": ((3.5, BOTH), " t"),
    "stdtrit": ((3.5, UNIT), " p"),
    "xlog1py": ((BOTH, UNIT), "xy"),
    "xlogy": ((BOTH, UNIT), "xy"),
    "yn": ((2, ABOVE), " x"),
    "yv": ((1.3, ABOVE), " z"),
    "zeta": ((2.5, ABOVE), " q"),
}

#: By name: points for all operands, the parameters before the last among them.
PARAMETERS = {
    **dict.fromkeys(("gammainc", "gammaincc"), (ABOVE, positive(4))),
    **dict.fromkeys(("gammaincinv", "gammainccinv"), (ABOVE, UNIT)),
    **dict.fromkeys(("betainc", "betaincc", "betaincinv", "betainccinv"), (ABOVE, positive(4), UNIT)),
    **dict.fromkeys(("chdtr", "chdtrc"), (ABOVE, positive(4))),
    "chdtri": (ABOVE, UNIT),
    **dict.fromkeys(("gdtr", "gdtrc"), (positive(4), ABOVE, UNIT)),
    **dict.fromkeys(("fdtr", "fdtrc"), (ABOVE, positive(4), UNIT)),
    "fdtri": (ABOVE + 1, positive(4) + 2, UNIT),
    "stdtr": (ABOVE, BOTH),
    "stdtrit": (ABOVE + 1, UNIT),
}


def _of_several(name, operands, which):
    """A case in the differentiable operands; the others are constants."""
    places = [place for place, letter in enumerate(which) if letter != " "]

    def f(sp, *arrays):
        values = list(operands)
        for place, array in zip(places, arrays, strict=True):
            values[place] = array
        constants = [ga.asarray(v, device=arrays[0].device) if isinstance(v, np.ndarray) else v for v in values]
        return getattr(sp.special, name)(*constants)

    return Case(f"special.{name}", f, tuple(np.asarray(operands[place]) for place in places))


CASES = [
    *[
        Case(f"special.{name}", lambda sp, x, name=name: getattr(sp.special, name)(x), (at,))
        for name, at in OF_ONE.items()
    ],
    *[
        Case(f"special.{name}", lambda sp, x, name=name: getattr(sp.special, name)(x), (SMALL + 0.7,), order=order)
        for name in COMPLEX
        for order in [1 if name in ("gamma", "loggamma", "rgamma") else 2]
    ],
    *[_of_several(name, operands, which) for name, (operands, which) in OF_SEVERAL.items()],
    # Parameters without a closed form: their first derivatives, and those of these in the last argument.
    *[
        Case(f"special.{name}", lambda sp, *arrays, name=name: getattr(sp.special, name)(*arrays), at, order=1)
        for name, at in PARAMETERS.items()
    ],
    Case("special.gammainc", lambda sp, x: sp.special.gammainc_slope(1.7, x), (ABOVE,)),
    Case("special.betainc", lambda sp, x: sp.special.betainc_slope(1.7, 0.4, x), (UNIT,)),
    Case("special.jv", lambda sp, z: sp.special.jv(0.5, z), (SMALL + 0.7,)),
    Case("special.yv", lambda sp, z: sp.special.yv(0.5, z), (SMALL + 0.7,)),
    Case("special.iv", lambda sp, z: sp.special.iv(0.5, z), (SMALL + 0.7,)),
    Case("special.kv", lambda sp, z: sp.special.kv(0.5, z), (SMALL + 0.7,)),
    Case("special.kve", lambda sp, z: sp.special.kve(0.5, z), (SMALL + 0.7,)),
    Case("special.hyp1f1", lambda sp, z: sp.special.hyp1f1(0.5, 1.5, z), (SMALL,)),
    Case("special.hyp2f1", lambda sp, z: sp.special.hyp2f1(0.5, 0.7, 1.5, z), (SMALL,)),
    Case("special.lambertw", lambda sp, z: sp.special.lambertw(z, -1), (SMALL + 0.7,)),
    Case("special.xlogy", lambda sp, x, y: sp.special.xlogy(x, y), (SMALL, complex_(3, seed=5) + 3)),
    Case("special.multigammaln", lambda sp, a: sp.special.multigammaln(a, 3), (ABOVE + 1,)),
    Case("special.expit", lambda sp, x: sp.special.expit(x) * 1e10, (np.asarray([-30.0]),)),
    # Where formulas have a removable singularity.
    Case("special.exprel", lambda sp, x: sp.special.exprel(x), (np.asarray([0.0, 1e-9]),)),
    Case("special.sinc", lambda sp, x: sp.special.sinc(x), (np.asarray([0.0, 1e-9]),)),
    Case("special.i1", lambda sp, x: sp.special.i1(x), (np.asarray([0.0]),)),
    Case("special.j1", lambda sp, x: sp.special.j1(x), (np.asarray([0.0]),)),
    Case("special.spence", lambda sp, z: sp.special.spence(z), (np.asarray([1.0, 0.5, 1.5]),)),
    Case("special.ellipk", lambda sp, m: sp.special.ellipk(m), (np.asarray([0.0, -3.0, -40.0]),)),
    Case("special.ellipe", lambda sp, m: sp.special.ellipe(m), (np.asarray([0.0, -3.0]),)),
    Case("special.rgamma", lambda sp, z: sp.special.rgamma(z), (np.asarray([0.0, -1.0, -2.0]),)),
    Case("special.log_ndtr", lambda sp, x: sp.special.log_ndtr(x), (np.asarray([-40.0, 5.0]),)),
    Case("special.stdtr", lambda sp, t: sp.special.stdtr(float("inf"), t), (BOTH,)),
    *[
        Case(
            f"special.spherical_{kind}",
            lambda sp, z, kind=kind, n=n: getattr(sp.special, f"spherical_{kind}")(n, z),
            (at,),
        )
        for kind in ("jn", "yn", "in", "kn")
        for n, at in [(0, ABOVE), (2, ABOVE), (1, SMALL + 0.7)]
    ],
    Case("special.spherical_jn", lambda sp, z: sp.special.spherical_jn(1, z, derivative=True), (ABOVE,)),
    Case("special.logsumexp", lambda sp, a: sp.special.logsumexp(a), (real(2, 3),)),
    Case("special.logsumexp", lambda sp, a: sp.special.logsumexp(a, axis=1, keepdims=True), (complex_(2, 3) / 4,)),
    Case("special.logsumexp", lambda sp, a, b: sp.special.logsumexp(a, 0, b), (real(2, 3), positive(2, 3))),
    Case("special.logsumexp", lambda sp, a, b: sp.special.logsumexp(a, b=b), (real(3), np.asarray([0.0, 1.0, 2.0]))),
    Case(
        "special.logsumexp", lambda sp, a, b: sp.special.logsumexp(a, b=b, return_sign=True)[0], (real(3), -positive(3))
    ),
    Case("special.softmax", lambda sp, x: sp.special.softmax(x, axis=1), (real(2, 3),)),
    Case("special.softmax", lambda sp, x: sp.special.softmax(x), (real(2, 3),)),
    Case("special.log_softmax", lambda sp, x: sp.special.log_softmax(x, axis=(0, 1)), (real(2, 3),)),
]
