"""Creation functions that take arrays."""

from gradient_cases import Case, complex_, real

CASES = [
    *[
        Case(name, lambda xp, x, name=name, k=k: getattr(xp, name)(x, k=k) * x, (x,))
        for name in ("tril", "triu")
        for x in (real(3, 3), real(2, 2, 4), complex_(3, 2))
        for k in (-1, 0, 2)
    ],
    *[
        Case("meshgrid", lambda xp, *xs, w=w: xp.stack(xp.meshgrid(*xs, indexing=w)) ** 2, (real(2), real(3, seed=1)))
        for w in ("xy", "ij")
    ],
    Case("meshgrid", lambda xp, *xs: xp.meshgrid(*xs)[1] ** 2, (complex_(2), complex_(3, seed=1))),
    Case("asarray", lambda xp, x, y: xp.asarray([[x, y], [x * y, y]]) ** 2, (real(), real(seed=1))),
    Case("asarray", lambda xp, x: xp.asarray(x, copy=True) * x, (complex_(2, 2),)),
]
