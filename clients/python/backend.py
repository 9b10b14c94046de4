"""Builds the wheel with the standard library only, so that it can be built offline. Equal sources make equal bytes. (PEP 517)"""

import base64
import hashlib
import pathlib
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).parent


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    name = f"{project['name']}-{project['version']}"
    info = name + ".dist-info/"
    urls = "".join(f"Project-URL: {name}, {url}\n" for name, url in project.get("urls", {}).items())
    metadata = (
        f"Metadata-Version: 2.4\nName: {project['name']}\nVersion: {project['version']}\nSummary: {project['description']}\n"
        f"License-Expression: {project['license']}\nLicense-File: LICENSE\nRequires-Python: {project['requires-python']}\n"
        f"{urls}Description-Content-Type: text/markdown\n\n{(ROOT / 'README.md').read_text()}"
    )
    files = {f"roem/{file.name}": file.read_bytes() for file in sorted((ROOT / "roem").iterdir()) if file.is_file()}
    files |= {info + "licenses/LICENSE": file.read_bytes() for file in [ROOT / "LICENSE"] if file.exists()}
    files[info + "METADATA"] = metadata.encode()
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: roem\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = "".join(f"{file},sha256={digest(text)},{len(text)}\n" for file, text in files.items())
    files[info + "RECORD"] = f"{record}{info}RECORD,,\n".encode()
    with zipfile.ZipFile(pathlib.Path(wheel_directory, name + "-py3-none-any.whl"), "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, text in files.items():
            entry = zipfile.ZipInfo(file)  # of 1980, and not of today
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(entry, text)
    return name + "-py3-none-any.whl"


def digest(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
