"""Hooks of the docs site (mkdocs.yml): README.md is its first page, and links out of docs/ lead to the repository."""

import pathlib
import posixpath
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")


def resolved(source, target, repository):
    """A link of a file in the repository, as one of the site; None where it leads nowhere."""
    if re.match(r"\w+:", target):
        return target
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    if path == "README.md":
        return "index.md"
    if path.startswith("docs/") and pathlib.Path(path).suffix in (".md", ".svg", ".png"):
        return path.removeprefix("docs/")
    place = ROOT / path
    return f"{repository}/{'tree' if place.is_dir() else 'blob'}/main/{path}" if place.exists() else None


def rewrite(text, source, repository):
    """A page's text with such links."""

    def link(match):
        return match[1] + (resolved(source, match[2], repository) or match[2]) + match[3]

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)  # code stays as it is
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)


def on_files(files, config):
    """Add the first page, and leave pages in the navigation that nav does not name to fail."""
    text = rewrite((ROOT / "README.md").read_text(), "README.md", config.repo_url.rstrip("/"))
    files.append(File.generated(config, "index.md", content=text))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links of the other pages."""
    if page.file.src_uri == "index.md":
        return markdown
    return rewrite(markdown, f"docs/{page.file.src_uri}", config.repo_url.rstrip("/"))
