/** The answers of the language server as values of the editor. */

"use strict";

const vscode = require("vscode");

const position = ({ line, character }) => new vscode.Position(line, character);
const range = ({ start, end }) => new vscode.Range(position(start), position(end));
const markdown = ({ value }) => new vscode.MarkdownString(value);
const location = ({ uri, range: place }) => new vscode.Location(vscode.Uri.parse(uri), range(place));
const textEdit = (edit) => new vscode.TextEdit(range(edit.range), edit.newText);

/** A range of the editor as the server reads it. */
const toRange = ({ start, end }) => ({ start: toPosition(start), end: toPosition(end) });
const toPosition = ({ line, character }) => ({ line, character });

const about = (document) => ({ textDocument: { uri: document.uri.toString() } });
const at = (document, place) => ({ ...about(document), position: toPosition(place) });

/** A mistake; the editor counts severities from 0. */
function diagnostic(found) {
  const made = new vscode.Diagnostic(range(found.range), found.message, found.severity - 1);
  made.source = found.source;
  const target = found.codeDescription && vscode.Uri.parse(found.codeDescription.href);
  made.code = target ? { value: found.code, target } : found.code;
  made.tags = found.tags;
  made.relatedInformation = found.relatedInformation?.map(
    (each) => new vscode.DiagnosticRelatedInformation(location(each.location), each.message),
  );
  return made;
}

function workspaceEdit({ changes = {}, documentChanges = [] }) {
  const edit = new vscode.WorkspaceEdit();
  const all = documentChanges.map(({ textDocument, edits }) => [textDocument.uri, edits]);
  for (const [uri, edits] of [...Object.entries(changes), ...all]) {
    edit.set(vscode.Uri.parse(uri), edits.map(textEdit));
  }
  return edit;
}

function completion(found) {
  // The editor counts kinds from 0.
  const item = new vscode.CompletionItem(found.label, found.kind - 1);
  item.detail = found.detail;
  item.documentation = found.documentation && markdown(found.documentation);
  item.filterText = found.filterText;
  item.range = range(found.textEdit.range);
  const { newText } = found.textEdit;
  item.insertText = found.insertTextFormat === 2 ? new vscode.SnippetString(newText) : newText;
  return item;
}

function codeAction(found) {
  const action = new vscode.CodeAction(found.title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = found.diagnostics?.map(diagnostic);
  action.isPreferred = found.isPreferred;
  action.edit = workspaceEdit(found.edit);
  return action;
}

function symbol(found) {
  const { name, detail = "", kind, range: whole, selectionRange, children = [] } = found;
  const made = new vscode.DocumentSymbol(name, detail, kind - 1, range(whole), range(selectionRange));
  made.children = children.map(symbol);
  return made;
}

function lens({ range: place, command: { title, command, arguments: words } }) {
  return new vscode.CodeLens(range(place), { title, command, arguments: words });
}

function hint(found) {
  const made = new vscode.InlayHint(position(found.position), found.label);
  made.paddingLeft = found.paddingLeft;
  made.tooltip = found.tooltip;
  return made;
}

/** Offers what the server knows in documents of a selector; `ask` makes a request. */
function register(selector, ask) {
  const { languages } = vscode;
  const list = async (made, ...request) => ((await ask(...request)) ?? []).map(made);
  const completions = {
    provideCompletionItems: (document, place, token) =>
      list(completion, "textDocument/completion", at(document, place), token),
  };
  const hovers = {
    async provideHover(document, place, token) {
      const found = await ask("textDocument/hover", at(document, place), token);
      return found && new vscode.Hover(markdown(found.contents), found.range && range(found.range));
    },
  };
  const actions = {
    provideCodeActions: (document, place, context, token) =>
      list(codeAction, "textDocument/codeAction", {
        ...about(document), range: toRange(place), context: { diagnostics: [] },
      }, token),
  };
  const references = {
    provideReferences: (document, place, { includeDeclaration }, token) =>
      list(location, "textDocument/references", { ...at(document, place), context: { includeDeclaration } }, token),
  };
  const renames = {
    async prepareRename(document, place, token) {
      const found = await ask("textDocument/prepareRename", at(document, place), token);
      if (!found) throw new Error("no category, key of a text or key-value pair is here");
      return { range: range(found.range), placeholder: found.placeholder };
    },
    provideRenameEdits: async (document, place, newName, token) =>
      workspaceEdit(await ask("textDocument/rename", { ...at(document, place), newName }, token)),
  };
  const formatting = {
    provideDocumentFormattingEdits: (document, { tabSize, insertSpaces }, token) =>
      list(textEdit, "textDocument/formatting", { ...about(document), options: { tabSize, insertSpaces } }, token),
  };
  const folds = {
    provideFoldingRanges: (document, _, token) =>
      list((each) => new vscode.FoldingRange(each.startLine, each.endLine), "textDocument/foldingRange",
        about(document), token),
  };
  const hints = {
    provideInlayHints: (document, place, token) =>
      list(hint, "textDocument/inlayHint", { ...about(document), range: toRange(place) }, token),
  };
  return [
    languages.registerCompletionItemProvider(selector, completions, '"', ":", "{", "|", ".", " "),
    languages.registerHoverProvider(selector, hovers),
    languages.registerCodeActionsProvider(selector, actions),
    languages.registerDefinitionProvider(selector, {
      provideDefinition: (document, place, token) =>
        list(location, "textDocument/definition", at(document, place), token),
    }),
    languages.registerReferenceProvider(selector, references),
    languages.registerRenameProvider(selector, renames),
    languages.registerDocumentFormattingEditProvider(selector, formatting),
    languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document, token) => list(symbol, "textDocument/documentSymbol", about(document), token),
    }),
    languages.registerFoldingRangeProvider(selector, folds),
    languages.registerCodeLensProvider(selector, {
      provideCodeLenses: (document, token) => list(lens, "textDocument/codeLens", about(document), token),
    }),
    languages.registerInlayHintsProvider(selector, hints),
  ];
}

module.exports = { diagnostic, register, toRange };
