"""What people do with libraries that use Numba, in a few lines each: run by test/compatibility.py, once with the real
Numba and once with pyarray in its place; the results are to be equal.

    python test/compatibility_uses.py FILE [library ...]     writes the results, pickled, to FILE

A use is a program whose last line is an expression. Programs share nothing but ``np``, ``rng`` and ``pd``.
"""

import ast
import pickle
import sys
import time
import traceback

USES = {
    "pandas": {
        "rolling mean": "pd.Series(rng.random(500)).rolling(7).mean(engine='numba')",
        "rolling apply": """
            def spread(window):
                return window.max() - window.min()
            pd.Series(rng.random(500)).rolling(9).apply(spread, raw=True, engine='numba')
        """,
        "expanding sum": "pd.Series(rng.random(300)).expanding().sum(engine='numba')",
        "exponential mean": "pd.Series(rng.random(300)).ewm(alpha=0.3).mean(engine='numba')",
        "groupby agg": """
            def total(values, index):
                s = 0.0
                for x in values:
                    s += x * x
                return s
            frame = pd.DataFrame({'key': rng.integers(0, 5, 300), 'x': rng.random(300)})
            frame.groupby('key')['x'].agg(total, engine='numba')
        """,
        "groupby transform": """
            def centred(values, index):
                return values - values.mean()
            frame = pd.DataFrame({'key': rng.integers(0, 5, 300), 'x': rng.random(300)})
            frame.groupby('key')['x'].transform(centred, engine='numba')
        """,
        "apply rows": """
            pd.DataFrame(rng.random((50, 4))).apply(lambda row: row.sum(), axis=1, raw=True, engine='numba')
        """,
    },
    "numbagg": {
        "nanmean": "import numbagg; a = rng.random((40, 50)); a[a < 0.1] = np.nan; numbagg.nanmean(a, axis=1)",
        "move_mean": "import numbagg; numbagg.move_mean(rng.random((20, 60)), window=7)",
        "move_exp_nanmean": "import numbagg; numbagg.move_exp_nanmean(rng.random((10, 60)), alpha=0.4)",
        "group_nanmean": "import numbagg; numbagg.group_nanmean(rng.random((5, 60)), rng.integers(0, 4, 60), axis=1)",
        "nanquantile": "import numbagg; numbagg.nanquantile(rng.random((10, 60)), [0.25, 0.5], axis=1)",
        "bfill": "import numbagg; a = rng.random((10, 40)); a[a < 0.3] = np.nan; numbagg.bfill(a)",
    },
    "sparse": {
        "matmul": "import sparse; a = sparse.random((60, 70), 0.1, random_state=1); (a @ a.T).todense()",
        "tensordot": """
            import sparse
            a = sparse.random((6, 7, 8), 0.2, random_state=1)
            sparse.tensordot(a, a, axes=([1, 2], [1, 2])).todense()
        """,
        "reduction": "import sparse; sparse.random((20, 30), 0.2, random_state=2).sum(axis=0).todense()",
        "compressed": """
            import sparse
            a = sparse.GCXS(sparse.random((30, 40), 0.2, random_state=3))
            (a @ rng.random((40, 3))), a[3:9].todense()
        """,
        "elementwise": """
            import sparse
            a, b = (sparse.random((30, 40), 0.2, random_state=seed) for seed in (4, 5))
            np.sin(a * 2 + b).todense(), (a * b > 0.1).todense()
        """,
    },
    "quantecon": {
        "Markov chain": """
            import quantecon as qe
            chain = qe.MarkovChain([[0.9, 0.1, 0], [0.2, 0.7, 0.1], [0, 0.3, 0.7]])
            chain.stationary_distributions, chain.simulate(50, init=0, random_state=1)
        """,
        "dynamic programming": """
            import quantecon as qe
            R, Q = [[5, 10], [-1, -np.inf]], [[(0.5, 0.5), (0, 1)], [(0, 1), (0.5, 0.5)]]
            problem = qe.markov.DiscreteDP(R, Q, 0.95)
            result = problem.solve(method='policy_iteration')
            result.v, result.sigma
        """,
        "Lemke-Howson": """
            import quantecon.game_theory as gt
            gt.lemke_howson(gt.NormalFormGame([[(3, 3), (3, 2)], [(2, 2), (5, 6)], [(0, 3), (6, 1)]]))
        """,
        "Rouwenhorst": "import quantecon as qe; qe.markov.rouwenhorst(7, 0.9, 0.2).P",
        "root": """
            import numba
            import quantecon as qe
            @numba.njit
            def f(x):
                return x ** 3 - 2
            qe.optimize.brentq(f, 0.0, 2.0).root
        """,
        "Nelder-Mead": """
            import numba
            import quantecon as qe
            @numba.njit
            def f(x):
                return -((1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2)
            qe.optimize.nelder_mead(f, np.array([-1.2, 1.0])).x.round(3)
        """,
        "Gini": "import quantecon as qe; qe.gini_coefficient(rng.random(200)), qe.lorenz_curve(rng.random(50))",
    },
    "datashader": {
        "points": """
            import datashader as ds
            frame = pd.DataFrame({'x': rng.random(2000), 'y': rng.random(2000), 'v': rng.random(2000)})
            canvas = ds.Canvas(40, 30)
            [canvas.points(frame, 'x', 'y', how).values for how in (ds.count(), ds.mean('v'), ds.max('v'))]
        """,
        "line": """
            import datashader as ds
            frame = pd.DataFrame({'x': np.arange(100.0), 'y': rng.random(100)})
            ds.Canvas(40, 30).line(frame, 'x', 'y').values
        """,
        "shade": """
            import datashader as ds
            import datashader.transfer_functions as tf
            frame = pd.DataFrame({'x': rng.random(2000), 'y': rng.random(2000)})
            tf.spread(tf.shade(ds.Canvas(40, 30).points(frame, 'x', 'y')), px=1).values
        """,
        "quadmesh": """
            import datashader as ds
            import xarray as xr
            grid = xr.DataArray(rng.random((8, 9)), coords={'y': np.arange(8.0), 'x': np.arange(9.0) ** 2},
                                dims=('y', 'x'), name='z')
            ds.Canvas(30, 20).quadmesh(grid, x='x', y='y').values
        """,
    },
    "pynndescent": {
        "neighbours": """
            from pynndescent import NNDescent
            index = NNDescent(rng.random((300, 5)).astype('f4'), n_neighbors=8, random_state=1)
            np.sort(index.neighbor_graph[1], axis=1)
        """,
        "query": """
            from pynndescent import NNDescent
            index = NNDescent(rng.random((300, 5)).astype('f4'), n_neighbors=8, random_state=1)
            index.query(rng.random((10, 5)).astype('f4'), k=3)[1]
        """,
        "cosine": """
            from pynndescent import NNDescent
            points = rng.random((200, 5)).astype('f4')
            NNDescent(points, metric='cosine', n_neighbors=5, random_state=1).neighbor_graph[1]
        """,
    },
    "umap-learn": {
        "fuzzy set": "import umap; umap.UMAP(random_state=1, n_neighbors=8).fit(rng.random((150, 6))).graph_.toarray()",
        "embedding": """
            import umap
            umap.UMAP(random_state=1, n_neighbors=8, n_epochs=20).fit_transform(rng.random((120, 6))).shape
        """,
        "metric": """
            import umap
            umap.UMAP(random_state=1, metric='manhattan', n_neighbors=8).fit(rng.random((120, 6))).graph_.toarray()
        """,
    },
    "stumpy": {
        "stump": "import stumpy; stumpy.stump(rng.random(400), m=20)[:, :2].astype(float)",
        "two series": """
            import stumpy
            stumpy.stump(rng.random(300), 20, rng.random(350), ignore_trivial=False)[:, 0].astype(float)
        """,
        "mstump": "import stumpy; stumpy.mstump(rng.random((3, 200)), m=15)[0]",
        "aamp": "import stumpy; stumpy.aamp(rng.random(300), m=20)[:, :2].astype(float)",
        "mass": "import stumpy; stumpy.mass(rng.random(20), rng.random(300))",
        "motifs": """
            import stumpy
            series = rng.random(300)
            series[200:230] = series[20:50]
            profile = stumpy.stump(series, m=30)
            stumpy.motifs(series, profile[:, 0])[0]
        """,
    },
    "librosa": {
        "beats": """
            import librosa
            sound = np.sin(np.arange(22050) * 0.05) * (np.arange(22050) % 5000 < 900)
            librosa.beat.beat_track(y=sound, sr=22050, start_bpm=120)[1]
        """,
        "dynamic time warping": "import librosa; librosa.sequence.dtw(rng.random((3, 40)), rng.random((3, 50)))",
        "Viterbi": """
            import librosa
            probability = rng.random((4, 60))
            librosa.sequence.viterbi(probability / probability.sum(axis=0), librosa.sequence.transition_uniform(4))
        """,
        "pitch": """
            import librosa
            librosa.pyin(np.sin(np.arange(22050) * 0.06), fmin=100, fmax=500, sr=22050)[0]
        """,
        "MFCC": "import librosa; librosa.feature.mfcc(y=rng.random(8000), sr=8000, n_mfcc=8)",
        "peaks": """
            import librosa
            (librosa.util.peak_pick(rng.random(200), pre_max=3, post_max=3, pre_avg=3, post_avg=5, delta=0.1,
                wait=5))
        """,
        "zero crossings": """
            import librosa
            librosa.zero_crossings(rng.random(500) - 0.5), librosa.util.localmax(rng.random(50))
        """,
    },
    "numba-stats": {
        "normal": """
            from numba_stats import norm
            x = np.linspace(-3, 3, 50)
            norm.pdf(x, 0, 1), norm.cdf(x, 0, 1), norm.ppf(norm.cdf(x, 0, 1), 0, 1)
        """,
        "Student": "from numba_stats import t; x = np.linspace(-3, 3, 50); t.pdf(x, 4, 0, 1), t.cdf(x, 4, 0, 1)",
        "in a function": """
            import numba
            from numba_stats import norm, truncexpon
            @numba.njit
            def density(x, f, mu, sigma):
                return f * norm.pdf(x, mu, sigma) + (1 - f) * truncexpon.pdf(x, 0.0, 1.0, 0.0, 2.0)
            density(np.linspace(0, 1, 50), 0.3, 0.5, 0.1)
        """,
    },
    "clifford": {
        "product": """
            from clifford.g3 import blades, layout
            e1, e2, e3 = blades['e1'], blades['e2'], blades['e3']
            a, b = 1 + 2 * e1 + e2 * e3, e1 - 3 * e2 + e1 * e2 * e3
            (a * b).value, (a ^ b).value, (a | b).value, (~a).value, a.inv().value, layout.adjoint_func(a.value)
        """,
        "conformal": """
            from clifford.g3c import down, up, e1, e2
            from clifford.tools.g3c import generate_rotation_rotor
            rotor = generate_rotation_rotor(0.3, e1, e2)
            down(rotor * up(2 * e1 + e2) * ~rotor).value
        """,
    },
    "resampy": {
        "resample": "import resampy; resampy.resample(np.sin(np.arange(4000) * 0.01), 8000, 5512)",
    },
    "fast-hdbscan": {
        "clusters": """
            import fast_hdbscan
            points = np.concatenate([rng.normal(at, 0.1, (60, 2)) for at in (0, 2, 5)])
            fast_hdbscan.HDBSCAN(min_cluster_size=10).fit_predict(points)
        """,
    },
    "xarray-spatial": {
        "terrain": """
            import xarray as xr
            import xrspatial
            heights = xr.DataArray(rng.random((20, 25)), dims=('y', 'x'), attrs={'res': (1.0, 1.0)})
            heights['y'], heights['x'] = np.arange(20.0), np.arange(25.0)
            xrspatial.slope(heights).values, xrspatial.hillshade(heights).values, xrspatial.aspect(heights).values
        """,
    },
    "verde": {
        "spline": """
            import verde
            east, north = rng.random(40) * 10, rng.random(40) * 10
            verde.Spline(damping=1e-6).fit((east, north), np.sin(east) + north).predict((east + 0.1, north))
        """,
    },
    "interpolation": {
        "splines": """
            from interpolation.splines import UCGrid, eval_linear
            grid = UCGrid((0.0, 1.0, 10), (0.0, 1.0, 12))
            eval_linear(grid, rng.random((10, 12)), rng.random((30, 2)))
        """,
    },
    "vector": {
        "arrays": """
            import vector
            a = vector.array({'x': rng.random(9), 'y': rng.random(9), 'z': rng.random(9)})
            a.rho, a.theta, (a + a).mag
        """,
        "in a function": """
            import numba
            import vector
            @numba.njit
            def length(v):
                return v.rho
            length(vector.obj(x=3.0, y=4.0))
        """,
    },
    "awkward": {
        "in a function": """
            import awkward as ak
            import numba
            @numba.njit
            def total(rows):
                s = 0.0
                for row in rows:
                    for x in row:
                        s += x
                return s
            total(ak.Array([[1.0, 2.0], [], [3.0]]))
        """,
    },
    "pyts": {
        "distance": "from pyts.metrics import dtw; dtw(rng.random(40), rng.random(40))",
        "features": """
            from pyts.image import RecurrencePlot
            RecurrencePlot(threshold=0.5).transform(rng.random((3, 30)))
        """,
    },
    "harmonica": {
        "prisms": """
            import harmonica
            at = (np.linspace(0, 10, 5), np.linspace(0, 10, 5), np.full(5, 1.0))
            harmonica.prism_gravity(at, [[2.0, 4.0, 3.0, 5.0, -3.0, -1.0]], [2000.0], 'g_z')
        """,
    },
    "antropy": {
        "entropy": """
            import antropy
            x = rng.random(500)
            (antropy.sample_entropy(x), antropy.lziv_complexity('0110100110' * 5), antropy.petrosian_fd(x),
                antropy.higuchi_fd(x), antropy.katz_fd(x))
        """,
    },
    "quaternionic": {
        "rotation": """
            import quaternionic
            q = quaternionic.array(rng.random((5, 4))).normalized
            (q * q).ndarray, np.exp(q).ndarray, q.rotate(rng.random((3, 3))), q.to_rotation_matrix
        """,
    },
    "tslearn": {
        "soft DTW": """
            from tslearn.metrics import dtw, soft_dtw
            dtw(rng.random(30), rng.random(30)), soft_dtw(rng.random(30), rng.random(30))
        """,
    },
    "numba-celltree": {
        "locate": """
            from numba_celltree import CellTree2d
            vertices = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1], [2, 0], [2, 1]])
            CellTree2d(vertices, np.array([[0, 1, 2, 3], [1, 4, 5, 2]]), -1).locate_points(rng.random((20, 2)) * 2)
        """,
    },
}  # fmt: skip


def _run(text, seed):
    """The value of a program's last line."""
    import textwrap

    import numpy as np

    names = {"np": np, "rng": np.random.default_rng(seed), "__name__": "__uses__"}
    if "pd." in text:
        import pandas as pd

        names["pd"] = pd
    body = ast.parse(textwrap.dedent(text)).body
    source = f"<use {seed} {len(text)}>"
    lines = textwrap.dedent(text).splitlines(keepends=True)
    import linecache

    linecache.cache[source] = (len(text), None, lines, source)
    exec(compile(ast.Module(body[:-1], []), source, "exec"), names)
    return eval(compile(ast.Expression(body[-1].value), source, "eval"), names)


def plain(value):
    """A result as NumPy arrays, texts and tuples of these, which every process reads."""
    import numpy as np

    if isinstance(value, str | bytes | None.__class__):
        return value
    if isinstance(value, tuple | list):
        return tuple(map(plain, value))
    array = np.asarray(value)
    return array if array.dtype != object else tuple(map(plain, array.tolist()))


def main():
    file, *wanted = sys.argv[1:]
    results = {}
    for number, (library, uses) in enumerate(USES.items()):
        if wanted and library not in wanted:
            continue
        for name, text in uses.items():
            begin = time.perf_counter()
            try:
                made = ("value", plain(_run(text, number)))
            except Exception as error:
                traceback.print_exc()
                made = ("error", f"{type(error).__name__}: {error}")
            results[library, name] = (*made, time.perf_counter() - begin)
            print(library, name, made[0], f"{results[library, name][2]:.1f} s", flush=True)
            with open(file, "wb") as to:
                pickle.dump(results, to)


if __name__ == "__main__":
    main()
