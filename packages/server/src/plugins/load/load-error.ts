import { dirname, isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  deniedAccess,
  importedFiles,
  isDefinitionError,
  type PluginProblem,
  type ProblemCode,
  type ProblemLocation,
  readRegularText,
} from '@mortise/plugin/runtime';
import { aliasHint } from './alias-hint.js';
import { findSyntaxError } from './find-syntax-error.js';

/** The plugin that did not load, by real paths. */
export interface LoadedFrom {
  readonly entry: string;
  /** The plugin's folder, or the folder that contains its file. */
  readonly root: string;
}

/** The message and details of any thrown value. A missing detail is ''. */
interface Thrown {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly stack: string;
  readonly path: string;
}

/**
 * Describes why a module did not load, with a location in the author's own files and a hint. Never rejects.
 * @param error any thrown value
 */
export async function describeLoadError(error: unknown, plugin: LoadedFrom): Promise<PluginProblem> {
  const thrown = readThrown(error);
  const denied = deniedAccess(error);
  if (denied) return problem('PLUGIN_THREW', denied.message, denied.hint, { file: plugin.entry });
  return (
    (await missingDependency(thrown, plugin)) ??
    nativeModule(thrown, plugin) ??
    unreadable(thrown, plugin) ??
    (await syntaxError(thrown, plugin)) ??
    definitionError(error, thrown, plugin) ??
    jsonImport(thrown, plugin) ??
    threwAtLoad(thrown, plugin)
  );
}

const NOT_FOUND =
  /Cannot find (?:package|module) '(?<name>[^']+)'(?: imported from (?<importer>.+)|\s+Require stack:\s+- (?<requirer>.+))?/;

async function missingDependency({ code, message }: Thrown, plugin: LoadedFrom): Promise<PluginProblem | undefined> {
  if (code === 'ERR_UNKNOWN_BUILTIN_MODULE') {
    const specifier = /\S+$/.exec(message)?.[0] ?? '';
    const hint = `Import another module: Node ${process.version} has no such module.`;
    return problem(
      'PLUGIN_DEPENDENCY_MISSING',
      `Cannot find '${specifier}'`,
      hint,
      locationOfSpecifier(plugin.entry, specifier),
    );
  }
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined;
  const { name, importer, requirer } = NOT_FOUND.exec(message)?.groups ?? {};
  if (!name) return undefined;
  const file = toPath(importer ?? requirer ?? plugin.entry);
  const isOwnFile = /^\.{1,2}\//.test(name) || isAbsolute(name) || name.startsWith('file:');
  const specifier = isOwnFile ? relativeSpecifier(file, name) : name;
  const hint = isOwnFile
    ? 'Correct the path; an import needs the whole file name, extension included.'
    : ((await aliasHint(name, dirname(file))) ?? `Run \`npm install ${packageName(name)}\` in ${plugin.root}`);
  return problem('PLUGIN_DEPENDENCY_MISSING', `Cannot find '${specifier}'`, hint, locationOfSpecifier(file, specifier));
}

const OTHER_NODE =
  /module '(?<file>[^']+)'\s+was compiled against a different Node\.js version using\s+NODE_MODULE_VERSION (?<built>\d+)\. This version of Node\.js requires\s+NODE_MODULE_VERSION (?<needed>\d+)/;

/** The first major version of Node with a NODE_MODULE_VERSION. */
const NODE_OF_MODULE_VERSION: Readonly<Record<string, string>> = {
  72: '12',
  83: '14',
  93: '16',
  108: '18',
  115: '20',
  127: '22',
  137: '24',
};

/** A native module that was installed by another version of Node. */
function nativeModule({ code, message, stack }: Thrown, plugin: LoadedFrom): PluginProblem | undefined {
  const { file, built, needed } = (code === 'ERR_DLOPEN_FAILED' && OTHER_NODE.exec(message)?.groups) || {};
  if (!file || !built) return undefined;
  const major = NODE_OF_MODULE_VERSION[built];
  const builtFor = `NODE_MODULE_VERSION ${built}${major === undefined ? '' : `, Node ${major}`}`;
  return problem(
    'NATIVE_MODULE_MISMATCH',
    `The native module '${file}' was built for another Node (${builtFor}); this is Node ${process.version} (NODE_MODULE_VERSION ${needed})`,
    `Run \`npm rebuild\` in ${plugin.root} with Node ${process.version}.`,
    ownFrame(stack, plugin) ?? { file: plugin.entry },
  );
}

function unreadable({ code, path, message }: Thrown, { entry }: LoadedFrom): PluginProblem | undefined {
  const isEntry = path === entry && ['EACCES', 'EPERM', 'ENOENT', 'EISDIR'].includes(code);
  return isEntry
    ? problem('PLUGIN_UNREADABLE', firstLine(message), 'Correct the permissions of the file.', { file: entry })
    : undefined;
}

const JITI_PARSE_ERROR = /^ParseError: (?<reason>.*?)\s*\n\s*(?<file>.+):(?<line>\d+):(?<column>\d+)/s;
const STACK_HEAD = /^(?<file>(?:file:\/\/|\/|[A-Za-z]:[\\/])[^\n]*):(?<line>\d+)\n[^\n]*\n(?<indent> *)\^/;
const CORRECT_SYNTAX = 'Correct the code at this location.';

async function syntaxError(thrown: Thrown, { entry }: LoadedFrom): Promise<PluginProblem | undefined> {
  const translated = JITI_PARSE_ERROR.exec(thrown.message)?.groups;
  if (translated) {
    const location = { file: translated.file!, line: Number(translated.line), column: Number(translated.column) + 1 };
    return problem('PLUGIN_SYNTAX_ERROR', `Syntax error: ${translated.reason}`, CORRECT_SYNTAX, location);
  }
  if (thrown.name !== 'SyntaxError') return undefined;
  const head = STACK_HEAD.exec(thrown.stack)?.groups;
  if (head) {
    const location = { file: toPath(head.file!), line: Number(head.line), column: head.indent!.length + 1 };
    return problem('PLUGIN_SYNTAX_ERROR', `Syntax error: ${firstLine(thrown.message)}`, CORRECT_SYNTAX, location);
  }
  const isParserError = /^\s+at compileSourceTextModule |^\s+at wrapSafe |^\s+at new ModuleWrap/m.test(thrown.stack);
  if (!isParserError) return undefined;
  const location = (await findSyntaxError(entry)) ?? { file: entry };
  return problem('PLUGIN_SYNTAX_ERROR', `Syntax error: ${firstLine(thrown.message)}`, CORRECT_SYNTAX, location);
}

function definitionError(error: unknown, { stack }: Thrown, plugin: LoadedFrom): PluginProblem | undefined {
  if (!isDefinitionError(error)) return undefined;
  return problem('DEFINITION_INVALID', error.reason, error.hint, ownFrame(stack, plugin) ?? { file: plugin.entry });
}

/**
 * An import of JSON without its attribute. The message does not name the importing file, which usually is the entry.
 */
function jsonImport({ message }: Thrown, { entry }: LoadedFrom): PluginProblem | undefined {
  const imported = /^Module "(?<url>[^"]+)" needs an import attribute/.exec(message)?.groups?.url;
  if (imported === undefined) return undefined;
  const specifier = relativeSpecifier(entry, imported);
  const hint = `Write \`import data from '${specifier}' with { type: 'json' };\`.`;
  const location = locationOfSpecifier(entry, specifier);
  return problem('PLUGIN_THREW', `The import of '${specifier}' does not say that it is JSON.`, hint, location);
}

function threwAtLoad({ name, message, stack }: Thrown, plugin: LoadedFrom): PluginProblem {
  const text = firstLine(message);
  const location = ownFrame(stack, plugin) ?? { file: plugin.entry };
  return problem(
    'PLUGIN_THREW',
    text ? `${name}: ${text}` : name,
    circularHint(message, location.file) ??
      HINTS.find(([pattern]) => pattern.test(message))?.[1] ??
      'Correct the code at this place. Work that needs a connection or a file can be done when a tool is called.',
    location,
  );
}

/**
 * Node's messages about a binding of a module that has not run yet. In a translated module such a binding is undefined,
 * so messages about undefined count, too.
 */
const NOT_RUN_YET =
  /^Cannot access '.+' before initialization|^Cannot (?:read|destructure) propert.* of '?undefined|is not a (?:function|constructor)$|^Class extends value undefined/;

/** Returns a hint if the file and one that it imports import each other. */
function circularHint(message: string, file: string): string | undefined {
  if (!NOT_RUN_YET.test(message)) return undefined;
  const [, ...imported] = importedFiles(file);
  const other = imported.slice(0, MAX_IN_CYCLE).find((path) => importedFiles(path).includes(file));
  if (other === undefined) return undefined;
  return `This module and ${relativeSpecifier(file, other)} import one another, so one of them runs before the other is complete: move what both need into a third module, or use it in a function.`;
}

/** Maximum number of imported files that are searched for an import of the file that threw. */
const MAX_IN_CYCLE = 50;

/** Hints for messages of the JavaScript engine. */
const HINTS: readonly [message: RegExp, hint: string][] = [
  [
    /is not defined in ES module scope/,
    'Rename the file to .cjs, convert it to ES modules, or remove "type": "module" from its package.json.',
  ],
];

const FRAME = /(?<file>(?:file:\/\/\/|\/|[A-Za-z]:[\\/])[^()]*?):(?<line>\d+):(?<column>\d+)\)?$/;

/** Finds the first stack frame in the plugin's own files; frames of Node, dependencies and the server do not count. */
function ownFrame(stack: string, { root }: LoadedFrom): ProblemLocation | undefined {
  for (const line of stack.split('\n').filter((text) => text.startsWith('    at '))) {
    const frame = FRAME.exec(line)?.groups;
    const file = frame && toPath(frame.file!);
    if (!file?.startsWith(root + sep) || file.includes(`${sep}node_modules${sep}`, root.length)) continue;
    const lineNumber = Number(frame!.line);
    const column = Number(frame!.column);
    // In translated code the lines are the author's, but the columns are not.
    const isColumnInLine = column <= (readLines(file)[lineNumber - 1]?.length ?? 0) + 1;
    return { file, line: lineNumber, ...(isColumnInLine && { column }) };
  }
  return undefined;
}

/** Finds the first place in a file that contains an import specifier. */
function locationOfSpecifier(file: string, specifier: string): ProblemLocation {
  const lines = readLines(file);
  const index = lines.findIndex((line) => columnOf(line, specifier) >= 0);
  return index < 0 ? { file } : { file, line: index + 1, column: columnOf(lines[index]!, specifier) + 1 };
}

function columnOf(line: string, specifier: string): number {
  const starts = [`'${specifier}`, `"${specifier}`, `\`${specifier}`].map((quoted) => line.indexOf(quoted));
  return Math.max(...starts.map((start) => (/['"`/]/.test(line[start + specifier.length + 1] ?? '') ? start : -1)));
}

function readLines(file: string): string[] {
  try {
    return readRegularText(file).split('\n');
  } catch {
    return [];
  }
}

function relativeSpecifier(importer: string, specifier: string): string {
  if (specifier.startsWith('.')) return specifier;
  const path = relative(dirname(importer), toPath(specifier)).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

function packageName(specifier: string): string {
  const [scope, name] = specifier.split('/');
  return specifier.startsWith('@') ? `${scope}/${name}` : scope!;
}

function toPath(fileOrUrl: string): string {
  const [path] = fileOrUrl.split('?', 1);
  return path!.startsWith('file:') ? fileURLToPath(path!) : path!;
}

const firstLine = (text: string) => text.split('\n', 1)[0]!.trim();

function problem(code: ProblemCode, message: string, hint: string, location: ProblemLocation): PluginProblem {
  return { severity: 'error', code, message, hint, location };
}

function readThrown(error: unknown): Thrown {
  const text = (member: string) => {
    try {
      const value: unknown = (error as Record<string, unknown>)[member];
      return typeof value === 'string' ? value : '';
    } catch {
      return '';
    }
  };
  const isObject = typeof error === 'object' && error !== null;
  if (!isObject) return { name: 'Thrown', code: '', message: String(error), stack: '', path: '' };
  return {
    name: text('name') || 'Error',
    code: text('code'),
    message: text('message'),
    stack: text('stack'),
    path: text('path'),
  };
}
