"""The extension for Fourier transforms."""

from gradient_cases import Case, complex_, real

NORMS = ("backward", "ortho", "forward")


def _case(name, x, **parameters):
    return Case(f"fft.{name}", lambda xp, x: getattr(xp.fft, name)(x, **parameters), (x,))


def _squared(name, x, **parameters):
    def f(xp, x):
        y = getattr(xp.fft, name)(x, **parameters)
        return y * y

    return Case(f"fft.{name}", f, (x,))


CASES = [
    # Lengths even and odd; cropped and padded; one; every norm.
    *[_case(name, complex_(5), n=n, norm=norm) for name in ("fft", "ifft") for n in (None, 1, 4, 7) for norm in NORMS],
    *[_case(name, complex_(2, 3, 2), axis=1) for name in ("fft", "ifft")],
    *[_case(name, complex_(4, 2), axis=0, n=3) for name in ("fft", "ifft")],
    *[_squared(name, complex_(4)) for name in ("fft", "ifft")],
    *[_case(name, real(4)) for name in ("fft", "ifft", "fftn", "ifftn", "irfft", "hfft", "irfftn")],
    *[_case(name, real(0, 3)) for name in ("fft", "rfft", "ihfft")],
    *[
        _case(name, real(n), n=m, norm=norm)
        for name in ("rfft", "ihfft")
        for n, m in ((4, None), (5, None), (1, None), (5, 4), (4, 7), (3, 1), (2, None))
        for norm in NORMS
    ],
    *[_case(name, real(2, 5, 2), axis=-2, n=6) for name in ("rfft", "ihfft")],
    *[_squared(name, real(5)) for name in ("rfft", "ihfft")],
    *[
        _case(name, complex_(n), n=m, norm=norm)
        for name in ("irfft", "hfft")
        for n, m in ((3, None), (3, 4), (3, 5), (3, 8), (5, 3), (4, 1), (1, 2), (2, 3))
        for norm in NORMS
    ],
    *[_case(name, complex_(2, 4, 2), axis=1, n=5) for name in ("irfft", "hfft")],
    *[_squared(name, complex_(4)) for name in ("irfft", "hfft")],
    *[_case(name, complex_(2, 3), norm=norm) for name in ("fftn", "ifftn") for norm in NORMS],
    *[_case(name, complex_(2, 3, 4), s=(3, -1), axes=(2, 0), norm="ortho") for name in ("fftn", "ifftn")],
    *[_case(name, complex_(2, 3, 2), s=(5, 1), axes=(-2, 0)) for name in ("fftn", "ifftn")],
    *[_case(name, complex_(2), axes=()) for name in ("fftn", "ifftn")],
    *[_case("rfftn", real(2, 3), norm=norm) for norm in NORMS],
    *[_case("rfftn", real(2, 3, 4), s=(3, 5), axes=(2, 0), norm="forward")],
    *[_case("irfftn", complex_(2, 3), norm=norm) for norm in NORMS],
    *[_case("irfftn", complex_(2, 3, 4), s=(5, 3), axes=(1, 2), norm="ortho")],
    *[_case("irfftn", complex_(2, 3, 4), s=(-1, -1), axes=(0, 1))],
    *[_squared(name, real(5, 2), axes=axes) for name in ("fftshift", "ifftshift") for axes in (None, 0, (-1,), ())],
    *[_squared(name, complex_(3)) for name in ("fftshift", "ifftshift")],
]
