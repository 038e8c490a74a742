/**
 * Larger templates and URIs match nothing. Matching takes one step for each part of the template and character of the
 * URI.
 */
const MAX_VARIABLES = 20;
const MAX_URI_CHARS = 8192;

/**
 * Matches a URI against a template (RFC 6570, levels 1 to 3, one value for each variable). The order of the query does
 * not matter, and its variables can be absent. If there are several ways to match, earlier variables get the longest
 * values.
 * @param template has at most 20 variables before the query
 * @param uri has at most 8,192 characters
 * @returns the decoded variables, or undefined if the URI does not match
 */
export function matchTemplate(template: string, uri: string): Record<string, string> | undefined {
  const compiled = compiledTemplate(template);
  const { parts, queryNames } = compiled;
  if (uri.length > MAX_URI_CHARS) return undefined;
  const queryStart = queryStartOf(uri, compiled);
  const variables = matchParts(parts, queryStart < 0 ? uri : uri.slice(0, queryStart));
  if (!variables) return undefined;
  const query = new URLSearchParams(queryStart < 0 ? '' : uri.slice(queryStart + 1));
  for (const name of queryNames) {
    const value = query.get(name);
    if (value !== null) variables[name] = value;
  }
  return variables;
}

/**
 * The number of steps of a match: the parts of the template times the characters of the URI. 0 if the URI begins
 * differently.
 */
export function matchSteps(template: string, uri: string): number {
  const { parts } = compiledTemplate(template);
  const [first] = parts;
  return typeof first === 'string' && !uri.startsWith(first) ? 0 : parts.length * uri.length;
}

/**
 * The position where the variables of the query begin: at `?`, or at the first `&` of a variable if the template has a
 * literal query.
 */
function queryStartOf(uri: string, { queryNames, hasOwnQuery }: CompiledTemplate): number {
  if (queryNames.length === 0) return -1;
  const start = uri.indexOf('?');
  if (!hasOwnQuery || start < 0) return start;
  const names = [...uri.slice(start).matchAll(/&([^=&]*)/g)];
  const first = names.find(([, name = '']) => queryNames.includes(decoded(name)));
  return first ? start + first.index : -1;
}

/** Literal text, or a variable with the characters that end its value. */
type Part = string | { readonly name: string; readonly stops: string };

interface CompiledTemplate {
  readonly parts: readonly Part[];
  readonly queryNames: readonly string[];
  readonly hasOwnQuery: boolean;
}

const compiledTemplates = new Map<string, CompiledTemplate>();

function compiledTemplate(template: string): CompiledTemplate {
  let compiled = compiledTemplates.get(template);
  if (!compiled) {
    compiled = compile(template);
    if (compiledTemplates.size > 1000) compiledTemplates.clear();
    compiledTemplates.set(template, compiled);
  }
  return compiled;
}

/** For each operator: the text before each value, and the characters that end a value. */
const OPERATORS: Record<string, { prefix: string; stops: string }> = {
  '': { prefix: '', stops: '/?#' },
  '+': { prefix: '', stops: '?#' },
  '#': { prefix: '#', stops: '' },
  '.': { prefix: '.', stops: '/?#.' },
  '/': { prefix: '/', stops: '/?#' },
};

function compile(template: string): CompiledTemplate {
  const parts: Part[] = [];
  const queryNames: string[] = [];
  for (const part of template.split(/(\{[^{}]*\})/)) {
    const expression = /^\{([+#./;?&]?)([^{}]*)\}$/.exec(part);
    if (!expression) {
      parts.push(part);
      continue;
    }
    const [, operator = '', list = ''] = expression;
    const names = list.split(',').map((variable) => variable.replace(/(\*|:\d+)$/, '').trim());
    if (operator === '?' || operator === '&') {
      queryNames.push(...names);
      continue;
    }
    const { prefix, stops } = OPERATORS[operator] ?? OPERATORS['']!;
    for (const [index, name] of names.entries()) parts.push(prefix || (index > 0 ? ',' : ''), { name, stops });
  }
  const hasOwnQuery = parts.some((part) => typeof part === 'string' && part.includes('?'));
  return { parts: parts.filter((part) => part !== ''), queryNames, hasOwnQuery };
}

/**
 * Matches without backtracking, because any server can list any template. First, from the end, it finds the positions
 * from which the remaining parts match the rest of the text. Then each variable gets the longest value that leaves a
 * match for the next ones.
 */
function matchParts(parts: readonly Part[], text: string): Record<string, string> | undefined {
  const [first] = parts;
  if (typeof first === 'string' && !text.startsWith(first)) return undefined;
  if (parts.filter((part) => typeof part !== 'string').length > MAX_VARIABLES) return undefined;
  const fits: Uint8Array[] = [new Uint8Array(text.length + 1)];
  fits[0]![text.length] = 1;
  const ends = new Map<string, Uint8Array>();
  for (const part of parts.toReversed()) {
    if (typeof part !== 'string' && !ends.has(part.stops)) ends.set(part.stops, stopsIn(text, part.stops));
    fits.unshift(
      typeof part === 'string' ? textStarts(part, text, fits[0]!) : valueStarts(ends.get(part.stops)!, fits[0]!),
    );
  }
  if (!fits[0]![0]) return undefined;
  const variables: Record<string, string> = {};
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const end = typeof part === 'string' ? at + part.length : lastEnd(part.stops, text, at, fits[index + 1]!);
    if (typeof part !== 'string') variables[part.name] = decoded(text.slice(at, end));
    at = end;
  }
  return variables;
}

/** The positions at which a text can begin so that the rest matches. @param after the positions at which the rest matches */
function textStarts(part: string, text: string, after: Uint8Array): Uint8Array {
  const starts = new Uint8Array(text.length + 1);
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) starts[at] = after[at + part.length]!;
  return starts;
}

/** The positions at which a value can begin so that the rest matches. @param stops 1 at each character that ends a value */
function valueStarts(stops: Uint8Array, after: Uint8Array): Uint8Array {
  const starts = new Uint8Array(after.length);
  for (let at = stops.length - 1; at >= 0; at--) {
    if (stops[at] === 0) starts[at] = after[at + 1]! | starts[at + 1]!;
  }
  return starts;
}

function stopsIn(text: string, stops: string): Uint8Array {
  const found = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) if (stops.includes(text[at]!)) found[at] = 1;
  return found;
}

/** The last position at which a value that begins at `from` can end so that the rest matches. */
function lastEnd(stops: string, text: string, from: number, after: Uint8Array): number {
  let last = from;
  for (let at = from; at < text.length && !stops.includes(text[at]!); at++) if (after[at + 1]) last = at + 1;
  return last;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
