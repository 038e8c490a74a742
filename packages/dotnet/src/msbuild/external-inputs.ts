import { dirname, isAbsolute, parse, resolve } from 'node:path';
import { splitList } from '../project-files/msbuild-syntax.js';
import type { XmlElement } from '../xml/xml.js';

/** The inputs of an MSBuild file's evaluation other than its imports. */
export interface ExternalInputs {
  /** Paths whose presence counts. */
  readonly paths: readonly string[];
  /** Folders in which files are searched by wildcards. */
  readonly globRoots: readonly string[];
}

/** The context in which an MSBuild file is evaluated. */
export interface EvaluatedFile {
  /** The file; absolute. */
  readonly file: string;
  /** The project that is evaluated; absolute. */
  readonly project: string;
  /** Values of properties that no project changes. */
  readonly constants: Readonly<Record<string, string>>;
}

/** Types whose functions give the same for the same arguments and environment. */
const PURE_TYPES =
  /^(?:MSBuild|System\.(?:Boolean|Byte|Char|Convert|Decimal|Double|Environment|Int16|Int32|Int64|Math|OperatingSystem|SByte|Single|String|StringComparer|StringComparison|TimeSpan|UInt16|UInt32|UInt64|Version|Globalization\.CultureInfo|Runtime\.InteropServices\.(?:OSPlatform|RuntimeInformation)|Text\.RegularExpressions\.Regex))$/i;

/** Functions of those types that do not. */
const IMPURE_FUNCTIONS =
  /^(?:GetRegistry.*|GetPathOfFileAbove|GetDirectoryNameOfFileAbove|FileExists|DirectoryExists|TickCount.*|WorkingSet|StackTrace)$/i;

const STATIC_FUNCTION = /\[\s*([\w.]+)\s*\]\s*::\s*(\w+)/g;
const IMPURE =
  /\$\(\s*Registry:|->\s*(?:Exists|GetPathsOfAllDirectoriesAbove)\s*\(|%\((?:[\w-]+\.)?(?:Modified|Created|Accessed)Time\)/i;

/**
 * The inputs of a file's evaluation in addition to its imports; `undefined` if they cannot be determined from the text, because it
 * uses the clock, the registry, the file system or paths that are built from properties. Targets do not count.
 */
export function externalInputs(project: XmlElement, target: EvaluatedFile): ExternalInputs | undefined {
  const paths: string[] = [];
  const globRoots: string[] = [];
  for (const { text, isCondition } of textsOf(project)) {
    if (isImpure(text)) return undefined;
    for (const path of isCondition ? existsArguments(text) : []) {
      const resolved = resolvePath(path, target);
      if (!resolved) return undefined;
      paths.push(...resolved);
    }
    for (const pattern of isCondition ? [] : splitList(text).filter((entry) => /[*?]/.test(entry))) {
      const root = resolvePath(pattern.slice(0, pattern.search(/[*?]/)).replace(/[^\\/]*$/, '') || '.', target);
      if (!root) return undefined;
      globRoots.push(...root);
    }
  }
  return { paths, globRoots };
}

interface EvaluatedText {
  readonly text: string;
  readonly isCondition: boolean;
}

function textsOf(element: XmlElement): EvaluatedText[] {
  if (element.name === 'Target') return [];
  return [
    ...(element.elements.length === 0 ? [{ text: element.text, isCondition: false }] : []),
    ...element.attributes.map(({ name, value }) => ({ text: value, isCondition: name === 'Condition' })),
    ...element.elements.flatMap(textsOf),
  ];
}

function isImpure(text: string): boolean {
  if (IMPURE.test(text)) return true;
  return [...text.matchAll(STATIC_FUNCTION)].some(
    ([, type, name]) => !PURE_TYPES.test(type!) || IMPURE_FUNCTIONS.test(name!),
  );
}

const EXISTS = /\bexists\s*\(\s*(?:'([^']*)'|(\$\([\w-]+\)[^\s()']*))?/gi;

/** What cannot be read as a path is an unknown property. */
function existsArguments(condition: string): string[] {
  return [...condition.matchAll(EXISTS)].map(([, quoted, unquoted]) => quoted ?? unquoted ?? '$()');
}

/** The absolute paths that a path may mean; `undefined` where it has properties that are not known. */
function resolvePath(declaredPath: string, { file, project, constants }: EvaluatedFile): string[] | undefined {
  const { base, name, ext } = parse(file);
  const constantValues: Record<string, string> = {
    ...constants,
    MSBuildThisFile: base,
    MSBuildThisFileName: name,
    MSBuildThisFileExtension: ext,
    MSBuildThisFileFullPath: file,
    MSBuildThisFileDirectory: `${dirname(file)}/`,
    MSBuildProjectDirectory: dirname(project),
    MSBuildProjectFullPath: project,
    MSBuildProjectFile: parse(project).base,
    MSBuildProjectName: parse(project).name,
  };
  const byName = new Map(Object.entries(constantValues).map(([key, value]) => [key.toLowerCase(), value]));
  const path = declaredPath.replace(/\$\(([\w-]+)\)/g, (text, key: string) => byName.get(key.toLowerCase()) || text);
  if (/[$@%]\(/.test(path)) return undefined;
  const slashed = path.replaceAll('\\', '/');
  if (isAbsolute(slashed)) return [resolve(slashed)];
  return [...new Set([resolve(dirname(project), slashed), resolve(dirname(file), slashed)])];
}
