"""Edits of a whole checkout that change nothing: each is a function that takes the checkout."""

import functools
import shutil
import subprocess

SOURCES = (".h", ".hh", ".hpp", ".c", ".cc", ".cpp", ".cxx", ".inl", ".inc")

# Another layout of the same tokens. Everything by which clang-format could change tokens, the order
# of includes and declarations, or the text of comments and strings is off.
STYLE = """{
  BasedOnStyle: WebKit, ColumnLimit: 60, IndentWidth: 3, UseTab: Never,
  BreakBeforeBraces: Allman, BinPackArguments: false, BinPackParameters: false,
  AllowShortFunctionsOnASingleLine: None, AlwaysBreakTemplateDeclarations: Yes,
  SpaceBeforeParens: Always, SpacesInAngles: Never, PointerAlignment: Right,
  SortIncludes: Never, IncludeBlocks: Preserve, SortUsingDeclarations: Never,
  FixNamespaceComments: false, ReflowComments: false, BreakStringLiterals: false,
  CompactNamespaces: false, InsertBraces: false, RemoveBracesLLVM: false,
  RemoveParentheses: Leave, RemoveSemicolon: false, QualifierAlignment: Leave,
  InsertTrailingCommas: None, SeparateDefinitionBlocks: Leave, Standard: Latest
}"""


def sources(checkout):
    """Files that git knows: what a build makes is not ours to edit."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=checkout, check=True,
                            capture_output=True).stdout.decode().split("\0")
    return [checkout / name for name in listed if name.endswith(SOURCES)]


def reformat(checkout):
    files = sources(checkout)
    subprocess.run(["clang-format-19", "-i", "--style=" + STYLE, *map(str, files)], check=True)


def add_comments(graph, checkout):
    """A comment line above each line where a function of the graph begins."""
    lines_of = {}
    for function in graph["functions"]:
        if "begin" in function:
            lines_of.setdefault(function.get("file"), set()).add(function["begin"][0])
    for path in sources(checkout):
        wanted = lines_of.get(str(path.relative_to(checkout)), set())
        before, result = b"", []
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
            # After a backslash the line above would swallow the code.
            if number in wanted and not before.endswith(b"\\"):
                result.append(b"// A comment that says nothing.")
            result.append(line)
            before = line.rstrip()
        path.write_bytes(b"\n".join(result))


def shift(checkout):
    """Every line moves down by ten."""
    for path in sources(checkout):
        path.write_bytes(b"\n" * 10 + path.read_bytes())


def lay_over(directory, checkout):
    """Files that were edited elsewhere."""
    shutil.copytree(directory, checkout, dirs_exist_ok=True)


def change(checkout):
    """How much is edited, in git's words; empty if nothing is."""
    return subprocess.run(["git", "diff", "--shortstat"], cwd=checkout, check=True,
                          capture_output=True, text=True).stdout.strip()


def restore(checkout):
    subprocess.run(["git", "checkout", "-q", "--", "."], cwd=checkout, check=True)


def all_edits(graph, renamed, reordered):
    """By title. The last two are directories that harmless_edits wrote."""
    return {"reformatted": reformat,
            "comments added": functools.partial(add_comments, graph),
            "shifted by ten lines": shift,
            "locals renamed": functools.partial(lay_over, renamed),
            "functions reordered": functools.partial(lay_over, reordered)}
