"""Calls of SciPy's public functions that give floating-point results, for `flow.py`: by name, an expression each.

The letters are arrays, and those that occur are tracked: `a` and `b` are 12 numbers from 0.2 to 0.9, `c` of them from 1 to 3,
`u` 6 probabilities, `s` a signal of 32, `m` a matrix of 6 by 4, `g` one of 4 by 4 near the identity, `v` three rotation
vectors, `q` three unit quaternions, `d` distinct angles of three axes, `e` exponential coordinates of a rigid motion.
`x(...)` makes a constant of a list.
"""

from __future__ import annotations


def _each(names: str, expression: str) -> dict[str, str]:
    return {name: expression.format(name) for name in names.split()}


SPECIAL = {
    **_each(
        "cbrt cosdg cosm1 cotdg dawsn ellipe ellipk ellipkm1 entr erf erfc erfcx erfi erfinv exp1 exp10 exp2 expi expit expm1 "
        "exprel gamma gammaln i0 i0e i1 i1e j0 j1 k0 k0e k1 k1e log1p log_expit log_ndtr log_softmax loggamma logit "
        "logsumexp ndtr ndtri psi digamma rgamma sinc sindg softmax spence tandg wrightomega y0 y1",
        "special.{}(a)",
    ),
    **_each(
        "beta betaln binom boxcox boxcox1p inv_boxcox inv_boxcox1p kl_div poch pseudo_huber rel_entr",
        "special.{}(c, b)",
    ),
    **_each("xlog1py xlogy owens_t", "special.{}(a, b)"),
    **_each("chdtr chdtrc gammainc gammaincc chdtri gammaincinv gammainccinv stdtr stdtrit", "special.{}(c, a)"),
    **_each("betainc betaincc betaincinv fdtr fdtrc fdtri gdtr gdtrc", "special.{}(c, b, a)"),
    **_each("iv ive jv kv kve yv", "special.{}(1.3, c)"),
    **_each("bdtr bdtrc bdtri", "special.{}(2.0, 7, a)"),
    **_each("nbdtr nbdtrc nbdtri", "special.{}(2, 7, a)"),
    **_each("pdtr pdtrc", "special.{}(2.0, c)"),
    "pdtri": "special.pdtri(2, a)",
    "expn": "special.expn(2, a)",
    "huber": "special.huber(0.5, a)",
    "hyp0f1": "special.hyp0f1(1.7, a)",
    "hyp1f1": "special.hyp1f1(0.7, 1.9, a)",
    "hyp2f1": "special.hyp2f1(0.7, 1.2, 2.3, a / 2)",
    "lpmv": "special.lpmv(1.0, 2.0, a)",
    "multigammaln": "special.multigammaln(c + 1, 3)",
    "polygamma": "special.polygamma(2, c)",
    "radian": "special.radian(a, b, c)",
    "yn": "special.yn(2, c)",
    "zeta": "special.zeta(2.5, c)",
    "zetac": "special.zetac(c + 1)",
}
STATS = {
    **_each(
        "gmean hmean skew kurtosis sem variation zscore gzscore gstd kstat kstatvar circmean circvar circstd tmean tvar tstd "
        "tsem tmax tmin iqr median_abs_deviation differential_entropy lmoment entropy",
        "stats.{}(a)",
    ),
    **_each("jarque_bera skewtest", "stats.{}(a).statistic"),
    **_each("kurtosistest normaltest", "stats.{}(xp.concat([a, b])).pvalue"),
    **_each("pearsonr ttest_ind ttest_rel alexandergovern", "stats.{}(a, b).pvalue"),
    **_each("bartlett levene f_oneway", "stats.{}(a, b).statistic"),
    "boxcox_llf": "stats.boxcox_llf(0.7, a)",
    "bootstrap": "stats.bootstrap((a,), xp.mean, n_resamples=20, method='percentile', rng=1).standard_error",
    "chisquare": "stats.chisquare(a).statistic",
    "combine_pvalues": "stats.combine_pvalues(u, method='stouffer').pvalue",
    "describe": "stats.describe(a).variance",
    "directional_stats": "stats.directional_stats(m).mean_direction",
    "false_discovery_control": "stats.false_discovery_control(u)",
    "linregress": "stats.linregress(a, b).slope",
    "moment": "stats.moment(a, order=3)",
    "monte_carlo_test": "stats.monte_carlo_test(a, lambda size: x(rng(1).normal(size=size)), xp.mean, n_resamples=9).statistic",
    "pmean": "stats.pmean(a, 3)",
    "power_divergence": "stats.power_divergence(a, lambda_='log-likelihood').statistic",
    "quantile": "stats.quantile(a, 0.3)",
    "sigmaclip": "stats.sigmaclip(a).clipped",
    "trim_mean": "stats.trim_mean(a, 0.1)",
    "ttest_1samp": "stats.ttest_1samp(a, 0.4).pvalue",
    "ttest_ind_from_stats": "stats.ttest_ind_from_stats(a, b, 9, b, a, 8).pvalue",
    "yeojohnson_llf": "stats.yeojohnson_llf(0.7, a)",
    "zmap": "stats.zmap(a, b)",
}
FFT = {
    **_each("fft hfft ifft ihfft rfft fftshift ifftshift", "fft.{}(s)"),
    **_each("fft2 fftn hfft2 hfftn ifft2 ifftn ihfft2 ihfftn rfft2 rfftn", "fft.{}(m)"),
    "irfft": "fft.irfft(fft.rfft(s) * 2)",
    **_each("irfft2 irfftn", "fft.{}(fft.rfft2(m) * 2)"),
    **_each("dct idct dst idst", "fft.{}(s)"),
    **_each("dctn idctn dstn idstn", "fft.{}(m)"),
    "fht": "fft.fht(a, 0.1, 0.2)",
}
SIGNAL = {
    "abcd_normalize": "signal.abcd_normalize(g, x([[1.0], [2.0], [0.0], [1.0]]), g, x([[1.0], [2.0], [0.0], [1.0]]))[0]",
    "bilinear_zpk": "signal.bilinear_zpk(-a, -b - 1.0, 1.0, 2.0)[2]",
    "buttord": "signal.buttord(a[0], a[0] + 0.05, 3, 40)[1]",
    "convolve": "signal.convolve(s, a)",
    "correlate": "signal.correlate(s, a)",
    "detrend": "signal.detrend(s)",
    "envelope": "signal.envelope(s)",
    "fftconvolve": "signal.fftconvolve(s, a)",
    "firwin": "signal.firwin(5, a[:1])",
    "freqs": "signal.freqs(a[:3], b[:3], x([0.5, 1.0]))[1]",
    "freqs_zpk": "signal.freqs_zpk(-a[:2], -b[:3], 1.5, x([0.5, 1.0]))[1]",
    "freqz": "signal.freqz(a[:4], worN=16)[1]",
    "freqz_sos": "signal.freqz_sos(xp.reshape(xp.concat([a[:3], x([1.0]), b[:2]]), (1, 6)), worN=8)[1]",
    "freqz_zpk": "signal.freqz_zpk(a[:2], b[:2] / 2, 1.5, worN=8)[1]",
    "gauss_spline": "signal.gauss_spline(a, 3)",
    "hilbert": "signal.hilbert(s)",
    "hilbert2": "signal.hilbert2(m)",
    "lfilter": "signal.lfilter(x([1.0]), x([1.0, 0.5]), s)",
    "lfilter_zi": "signal.lfilter_zi(a[:3], xp.concat([x([1.0]), b[:2] / 3]))",
    "lfiltic": "signal.lfiltic(a[:3], b[:3], c[:2])",
    "lp2bp_zpk": "signal.lp2bp_zpk(x([]), -a[:3], 1.0)[1]",
    "lp2bs_zpk": "signal.lp2bs_zpk(x([]), -a[:3], 1.0)[1]",
    "lp2hp": "signal.lp2hp(a[:2], b[:3])[0]",
    "lp2hp_zpk": "signal.lp2hp_zpk(x([]), -a[:3], 1.0)[1]",
    "lp2lp": "signal.lp2lp(a[:2], b[:3])[0]",
    "lp2lp_zpk": "signal.lp2lp_zpk(x([]), -a[:3], 1.0, wo=2.0)[1]",
    "minimum_phase": "signal.minimum_phase(xp.concat([a[:3], c[:1], xp.flip(a[:3])]))",
    "normalize": "signal.normalize(a[:2], b[:3])[0]",
    "oaconvolve": "signal.oaconvolve(s, a)",
    "resample": "signal.resample(s, 48)",
    "resample_poly": "signal.resample_poly(s, 3, 2)",
    "savgol_filter": "signal.savgol_filter(s, 5, 2)",
    "sos2zpk": "signal.sos2zpk(xp.reshape(xp.concat([a[:3], x([1.0]), b[:2]]), (1, 6)))[2]",
    "sosfilt": "signal.sosfilt(xp.reshape(xp.concat([a[:3], x([1.0]), b[:2] / 3]), (1, 6)), s)",
    "tf2zpk": "signal.tf2zpk(a[:3], c[:3])[2]",
    "unit_impulse": "signal.convolve(s, a, method='fft')",
    "vectorstrength": "signal.vectorstrength(a, 0.7)[0]",
    "wiener": "signal.wiener(s, 3)",
    "zpk2tf": "signal.zpk2tf(a[:3], x([0.5, 0.5]), 1.0)[0]",
    "windows.general_cosine": "signal.windows.general_cosine(8, a[:3])",
}
ROTATION = {
    "Rotation.__getitem__": "Rotation.from_rotvec(v)[1].as_quat()",
    "Rotation.__mul__": "(Rotation.from_rotvec(v) * Rotation.from_quat(q)).as_quat()",
    "Rotation.__pow__": "(Rotation.from_rotvec(v) ** 0.5).as_quat()",
    "Rotation.align_vectors": "Rotation.align_vectors(v, v + q[:, :3])[0].as_quat()",
    "Rotation.apply": "Rotation.from_quat(q).apply(v)",
    "Rotation.as_davenport": "Rotation.from_quat(q).as_davenport(x([[0.0, 0, 1], [0, 1.0, 0], [1.0, 0, 0]]), 'extrinsic')",
    "Rotation.as_euler": "Rotation.from_quat(q).as_euler('xyz')",
    "Rotation.as_matrix": "Rotation.from_quat(q).as_matrix()",
    "Rotation.as_mrp": "Rotation.from_quat(q).as_mrp()",
    "Rotation.as_quat": "Rotation.from_euler('xyz', d).as_quat()",
    "Rotation.as_rotvec": "Rotation.from_quat(q).as_rotvec()",
    "Rotation.concatenate": "Rotation.concatenate([Rotation.from_quat(q), Rotation.from_rotvec(v)]).as_matrix()",
    "Rotation.from_davenport": "Rotation.from_davenport(x([[0.0, 0, 1], [0, 1.0, 0], [1.0, 0, 0]]), 'extrinsic', d).as_quat()",
    "Rotation.from_euler": "Rotation.from_euler('zyx', d).as_matrix()",
    "Rotation.from_matrix": "Rotation.from_matrix(Rotation.from_rotvec(v).as_matrix()).as_quat()",
    "Rotation.from_mrp": "Rotation.from_mrp(v / 3).as_matrix()",
    "Rotation.from_quat": "Rotation.from_quat(q * 2).as_matrix()",
    "Rotation.from_rotvec": "Rotation.from_rotvec(v).as_matrix()",
    "Rotation.inv": "Rotation.from_rotvec(v).inv().as_quat()",
    "Rotation.magnitude": "Rotation.from_rotvec(v).magnitude()",
    "Rotation.mean": "Rotation.from_rotvec(v).mean().as_rotvec()",
    # Rotation.reduce is left out: its array-API form gives quaternions that are not normalised, on every namespace.
    "Slerp.__call__": "Slerp(x([0.0, 1.0, 2.0]), Rotation.from_rotvec(v))(x([0.3, 1.6])).as_quat()",
    "RigidTransform.__getitem__": "RigidTransform.from_components(v, Rotation.from_quat(q))[1].as_matrix()",
    "RigidTransform.__mul__": "(RigidTransform.from_exp_coords(e) * RigidTransform.from_translation(v[0, :])).as_matrix()",
    "RigidTransform.__pow__": "(RigidTransform.from_exp_coords(e) ** 0.5).as_matrix()",
    "RigidTransform.apply": "RigidTransform.from_exp_coords(e).apply(v)",
    "RigidTransform.as_components": "RigidTransform.from_exp_coords(e).as_components()[0]",
    "RigidTransform.as_dual_quat": "RigidTransform.from_exp_coords(e).as_dual_quat()",
    "RigidTransform.as_exp_coords": "RigidTransform.from_exp_coords(e).as_exp_coords()",
    "RigidTransform.as_matrix": "RigidTransform.from_translation(v).as_matrix()",
    "RigidTransform.concatenate": (
        "RigidTransform.concatenate([RigidTransform.from_exp_coords(e), RigidTransform.from_translation(v)]).as_matrix()"
    ),
    "RigidTransform.from_components": "RigidTransform.from_components(v, Rotation.from_quat(q)).as_matrix()",
    "RigidTransform.from_dual_quat": "RigidTransform.from_dual_quat(RigidTransform.from_exp_coords(e).as_dual_quat()).as_matrix()",
    "RigidTransform.from_exp_coords": "RigidTransform.from_exp_coords(e).as_matrix()",
    "RigidTransform.from_matrix": "RigidTransform.from_matrix(RigidTransform.from_exp_coords(e).as_matrix()).as_exp_coords()",
    "RigidTransform.from_rotation": "RigidTransform.from_rotation(Rotation.from_rotvec(v)).as_matrix()",
    "RigidTransform.from_translation": "RigidTransform.from_translation(v).apply(v)",
    "RigidTransform.inv": "RigidTransform.from_exp_coords(e).inv().as_matrix()",
    "RigidTransform.mean": "RigidTransform.from_components(v, Rotation.from_rotvec(v / 3)).mean().as_matrix()",
}
OTHERS = {
    "cluster": {"vq.whiten": "cluster.vq.whiten(m)"},
    "constants": {
        "convert_temperature": "constants.convert_temperature(a, 'C', 'F')",
        "lambda2nu": "constants.lambda2nu(a)",
        "nu2lambda": "constants.nu2lambda(a)",
    },
    "differentiate": {
        "derivative": "differentiate.derivative(xp.sin, a).df",
        "hessian": "differentiate.hessian(lambda t: xp.sin(t[0, ...]) * t[1, ...], a[:2]).ddf",
        "jacobian": "differentiate.jacobian(xp.sin, a[:3]).df",
    },
    "integrate": {
        "cubature": "integrate.cubature(lambda t, p: xp.exp(-p[0] * t[:, 0]), xp.zeros(1), xp.ones(1), args=(a[:1],)).estimate",
        "cumulative_simpson": "integrate.cumulative_simpson(a)",
        "cumulative_trapezoid": "integrate.cumulative_trapezoid(a)",
        "nsum": "integrate.nsum(lambda k, p: 1 / k**p, 0 * c + 1, 0 * c + 40, args=(c + 1,)).sum",
        "qmc_quad": (
            "integrate.qmc_quad(lambda t: xp.exp(-a[0] * t[0, ...]), xp.zeros(1), xp.ones(1), n_estimates=2, n_points=64, "
            "qrng=stats.qmc.Halton(1, rng=1)).integral"
        ),
        "romb": "integrate.romb(xp.concat([a, b[:5]]))",
        "simpson": "integrate.simpson(a)",
        "tanhsinh": "integrate.tanhsinh(lambda t, p: xp.exp(-p * t * t), 0 * a, 0 * a + 1, args=(a,)).integral",
        "trapezoid": "integrate.trapezoid(a)",
    },
    "interpolate": {"CubicSpline": "interpolate.CubicSpline(x(list(range(12))), a)(x([1.5, 2.5]))"},
    "linalg": {
        "block_diag": "linalg.block_diag(m, m)",
        "orthogonal_procrustes": "linalg.orthogonal_procrustes(m, m[::-1, ...] + g[:1, :])[1]",
        **{name: f"linalg.{name}(g)" for name in ("det", "expm", "inv", "norm", "pinv", "sqrtm")},
    },
    "ndimage": {
        **{name: f"ndimage.{name}(s, 2)" for name in ("gaussian_filter", "uniform_filter", "maximum_filter")},
        "map_coordinates": "ndimage.map_coordinates(m, x([[0.5], [1.5]]))",
    },
    "optimize": {
        "elementwise.bracket_minimum": "optimize.elementwise.bracket_minimum(lambda t, p: (t - p) ** 2, a, args=(b,)).bracket[0]",
        "elementwise.bracket_root": "optimize.elementwise.bracket_root(lambda t, p: t - p, a, args=(b,)).bracket[0]",
        "elementwise.find_minimum": (
            "optimize.elementwise.find_minimum(lambda t, p: (t - p) ** 2, (0 * a - 1, 0 * a + 0.1, 0 * a + 2), args=(a,)).x"
        ),
        "elementwise.find_root": (
            "optimize.elementwise.find_root(lambda t, p: t * t - p, (0 * a, 0 * a + 1), args=(a,)).x"
        ),
        "rosen": "optimize.rosen(a)",
        "rosen_der": "optimize.rosen_der(a)",
        "rosen_hess": "optimize.rosen_hess(a[:4])",
        "rosen_hess_prod": "optimize.rosen_hess_prod(a[:4], b[:4])",
    },
    "signal": SIGNAL,
    "fft": FFT,
    "spatial.transform": ROTATION,
    "special": SPECIAL,
    "stats": STATS,
}
CALLS = dict(sorted(OTHERS.items()))
