"""Does the steps of editor-steps.json with the client of pytest-lsp, whose documents are texts: see editors.py.

pytest -q -s -p no:cacheprovider Tests/Referees/editor_lsp.py
"""

import asyncio
import json
import os
from pathlib import Path
from urllib.parse import unquote

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

FOLDER = Path(os.environ["FOLDER"])


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ["PUSHHOST"], "lsp"]))
async def client(client: LanguageClient):
    folders = [lsp.WorkspaceFolder(uri=FOLDER.as_uri(), name="editor")]
    capabilities = client_capabilities("visual-studio-code")
    # This client has no files that it could watch, and no window.
    capabilities.workspace.did_change_watched_files = capabilities.window = None
    params = lsp.InitializeParams(capabilities=capabilities, workspace_folders=folders)
    await client.initialize_session(params)
    yield
    await client.shutdown_session()


class Editor:
    """The open documents, whose texts the server's edits change."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.before: list[tuple[str, str]] = []
        self.uri = ""
        self.items: list = []

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(uri=self.uri)

    def offset(self, text: str, position: lsp.Position) -> int:
        line = "".join(text.splitlines(keepends=True)[: position.line])
        units = text[len(line) :].encode("utf-16-le")[: 2 * position.character]
        return len(line) + len(units.decode("utf-16-le"))

    def position(self, offset: int) -> lsp.Position:
        text = self.texts[self.uri]
        line = text.rfind("\n", 0, offset) + 1
        return lsp.Position(line=text.count("\n", 0, offset), character=len(text[line:offset].encode("utf-16-le")) // 2)

    def place(self, step: dict) -> lsp.Position:
        wanted = step.get("at") or step["after"]
        found = self.texts[self.uri].index(wanted)
        return self.position(found + 1 if "at" in step else found + len(wanted))

    def edit(self, uri: str, edits: list) -> None:
        """Applies edits, as the server gave them, and tells them to the server."""
        path = Path(unquote(uri.removeprefix("file://")))
        text = self.texts.get(uri) or path.read_text()
        for each in sorted(edits, key=lambda each: (each.range.start.line, each.range.start.character), reverse=True):
            start, end = self.offset(text, each.range.start), self.offset(text, each.range.end)
            text = text[:start] + each.new_text + text[end:]
        if uri not in self.texts:
            path.write_text(text)
            return
        self.before.append((uri, self.texts[uri]))
        self.replace(uri, text)

    def replace(self, uri: str, text: str) -> None:
        self.texts[uri] = text
        self.versions[uri] += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                text_document=lsp.VersionedTextDocumentIdentifier(uri=uri, version=self.versions[uri]),
                content_changes=[lsp.TextDocumentContentChangeWholeDocument(text=text)],
            )
        )

    def apply(self, edit: lsp.WorkspaceEdit) -> None:
        for uri, edits in (edit.changes or {}).items():
            self.edit(uri, edits)
        for change in edit.document_changes or []:
            self.edit(change.text_document.uri, change.edits)

    # The steps

    async def open(self, step: dict) -> None:
        path = FOLDER / step["file"]
        self.uri = path.as_uri()
        self.texts[self.uri], self.versions[self.uri] = path.read_text(), 1
        language = "apns" if path.suffix == ".apns" else "xml"
        item = lsp.TextDocumentItem(uri=self.uri, language_id=language, version=1, text=self.texts[self.uri])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))

    async def marks(self, step: dict) -> list[str]:
        text = self.texts[self.uri]
        return sorted(
            f"{each.code}: {text[self.offset(text, each.range.start) : self.offset(text, each.range.end)]}"
            for each in self.client.diagnostics.get(self.uri, [])
        )

    async def replace_text(self, step: dict) -> None:
        text = self.texts[self.uri]
        start = text.index(step["text"])
        place = lsp.Range(start=self.position(start), end=self.position(start + len(step["text"])))
        self.edit(self.uri, [lsp.TextEdit(range=place, new_text=step["with"])])

    async def hover(self, step: dict) -> str:
        params = lsp.HoverParams(text_document=self.document, position=self.place(step))
        found = await self.client.text_document_hover_async(params)
        return found.contents.value if found else ""

    async def complete(self, step: dict) -> list[str]:
        params = lsp.CompletionParams(text_document=self.document, position=self.place(step))
        found = await self.client.text_document_completion_async(params)
        self.items = list(getattr(found, "items", found) or [])
        return [item.label for item in self.items]

    async def accept(self, step: dict) -> None:
        await self.complete(step)
        item = next(item for item in self.items if item.label == step["label"])
        edit = item.text_edit
        edit.new_text = edit.new_text.replace("${1:1}", "1")
        self.edit(self.uri, [edit])

    async def fix(self, step: dict) -> None:
        place = lsp.Range(start=self.place(step), end=self.place(step))
        context = lsp.CodeActionContext(diagnostics=[])
        params = lsp.CodeActionParams(text_document=self.document, range=place, context=context)
        found = await self.client.text_document_code_action_async(params)
        self.apply(next(each.edit for each in found if each.title == step["title"]))

    async def text(self, step: dict) -> str:
        uri = (FOLDER / step["file"]).as_uri() if "file" in step else self.uri
        return self.texts.get(uri) or (FOLDER / step["file"]).read_text()

    async def undo(self, step: dict) -> None:
        self.replace(*self.before.pop())

    async def lenses(self, step: dict) -> list[str]:
        params = lsp.CodeLensParams(text_document=self.document)
        return [each.command.title for each in await self.client.text_document_code_lens_async(params)]

    async def execute(self, step: dict) -> str:
        params = lsp.ExecuteCommandParams(command=step["command"], arguments=[self.uri, {"show": False}])
        result = await self.client.workspace_execute_command_async(params)
        value = result[step["member"]] if isinstance(result, dict) else getattr(result, step["member"])
        return value if isinstance(value, str) else json.dumps(value)

    async def hints(self, step: dict) -> list[str]:
        everything = lsp.Range(start=lsp.Position(line=0, character=0), end=lsp.Position(line=1000, character=0))
        params = lsp.InlayHintParams(text_document=self.document, range=everything)
        return [each.label for each in await self.client.text_document_inlay_hint_async(params)]

    def files(self, places) -> list[str]:
        found = [places] if isinstance(places, lsp.Location) else places
        return sorted({os.path.relpath(unquote(each.uri.removeprefix("file://")), FOLDER) for each in found})

    async def definition(self, step: dict) -> list[str]:
        params = lsp.DefinitionParams(text_document=self.document, position=self.place(step))
        return self.files(await self.client.text_document_definition_async(params))

    async def references(self, step: dict) -> list[str]:
        context = lsp.ReferenceContext(include_declaration=True)
        params = lsp.ReferenceParams(text_document=self.document, position=self.place(step), context=context)
        return self.files(await self.client.text_document_references_async(params))

    async def rename(self, step: dict) -> None:
        params = lsp.RenameParams(text_document=self.document, position=self.place(step), new_name=step["to"])
        self.apply(await self.client.text_document_rename_async(params))

    async def save(self, step: dict) -> None:
        for uri, text in self.texts.items():
            Path(unquote(uri.removeprefix("file://"))).write_text(text)
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(text_document=self.document))

    async def format(self, step: dict) -> None:
        options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
        params = lsp.DocumentFormattingParams(text_document=self.document, options=options)
        self.edit(self.uri, await self.client.text_document_formatting_async(params))

    async def outline(self, step: dict) -> list[str]:
        def names(symbols):
            return [name for each in symbols or [] for name in [each.name, *names(each.children)]]

        params = lsp.DocumentSymbolParams(text_document=self.document)
        return names(await self.client.text_document_document_symbol_async(params))

    async def folds(self, step: dict) -> list[str]:
        params = lsp.FoldingRangeParams(text_document=self.document)
        found = await self.client.text_document_folding_range_async(params)
        return [f"{each.start_line}-{each.end_line}" for each in found]

    async def close(self, step: dict) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=self.document))


def is_as_expected(step: dict, value) -> bool:
    return step["contains"] in value if "contains" in step else value == step.get("expect")


@pytest.mark.asyncio
async def test_steps(client: LanguageClient) -> None:
    editor = Editor(client)
    print()
    for number, step in enumerate(json.loads(Path(os.environ["STEPS"]).read_text()), start=1):
        act = getattr(editor, "replace_text" if step["do"] == "replace" else step["do"])
        value = await act(step)
        while not is_as_expected(step, value):
            # Marks come when the server has checked the text; every other value is in an answer.
            assert step["do"] == "marks", f"step {number}: {step} has {value!r}"
            try:
                await asyncio.wait_for(client.wait_for_notification("textDocument/publishDiagnostics"), 30)
            except TimeoutError:
                pytest.fail(f"step {number}: {step} has {value!r}")
            value = await act(step)
        print("ok", number, step["do"])
