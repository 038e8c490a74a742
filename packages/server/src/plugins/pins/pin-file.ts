import type { JsonObject, JsonValue } from '@mortise/plugin';
import { isDeeper, isJsonObject, type PluginProblem, type ProblemLocation } from '@mortise/plugin/runtime';
import { type ParseError, parse } from 'jsonc-parser';
import { by } from '../../util/order.js';
import { positionIn } from '../../util/position-in.js';
import { readTextFile } from '../../util/read-text-file.js';
import {
  FILE_LABEL,
  isWhole,
  MAX_DEPTH,
  type PluginPins,
  promptLabel,
  resourceLabel,
  type ToolPin,
} from './plugin-pins.js';

/** The file's name, next to the configuration (docs/spec/plugin-definitions.md#pins). */
export const PIN_FILE = 'mortise.lock.json';

/** The pins of all plugins, by their keys. */
export type AllPins = ReadonlyMap<string, PluginPins>;

const VERSION = 1;
const MAX_BYTES = 256 * 1024 * 1024;

/** The contents of the file; no pins if it does not exist. Never throws: an invalid file is PIN_FILE_INVALID. */
export function readPinFile(file: string): { pins: AllPins } | { problem: PluginProblem } {
  const content = readTextFile(file, MAX_BYTES);
  if (content.kind === 'missing') return { pins: new Map() };
  if (content.kind === 'unreadable') return { problem: invalid(content.why, { file }) };
  const parsed = parseJson(content.text);
  if ('error' in parsed) return { problem: invalid(parsed.error, { file, ...syntaxPosition(content.text) }) };
  const read = parsePins(parsed.value);
  return typeof read === 'string' ? { problem: invalid(read, { file }) } : { pins: read };
}

/** The file's text: everything in one order, so that two versions compare line by line. */
export function formatPinFile(pins: AllPins): string {
  const plugins = sorted(pins, formatPlugin);
  return `${JSON.stringify({ version: VERSION, plugins }, null, 2)}\n`;
}

/** The sections of the file beside `tools`. A pin belongs to the section whose prefix its label has. */
const SECTIONS = [
  { section: 'resources', prefix: resourceLabel('') },
  { section: 'prompts', prefix: promptLabel('') },
] as const;

function formatPlugin(pins: PluginPins): object {
  const sectionOf = (belongs: (label: string) => boolean, labelStart: number) =>
    sorted(
      new Map([...pins].filter(([label]) => belongs(label)).map(([label, one]) => [label.slice(labelStart), one])),
      (one) => one,
    );
  const tools = sectionOf((label) => !label.includes(' '), 0);
  if (!isWhole(pins)) return { tools };
  const others = SECTIONS.map(({ section, prefix }) => [
    section,
    sectionOf((label) => label.startsWith(prefix), prefix.length),
  ]);
  return { file: pins.get(FILE_LABEL), tools, ...Object.fromEntries(others) };
}

function sorted<V>(map: ReadonlyMap<string, V>, write: (value: V) => unknown): object {
  const entries = [...map].sort(by(([key]) => key));
  return Object.fromEntries(entries.map(([key, value]) => [key, write(value)]));
}

/** The pins, or the problem and its location. */
function parsePins(value: JsonValue): AllPins | string {
  if (!isJsonObject(value)) return 'an object was expected';
  if (value.version !== VERSION) return `its version is ${show(value.version)}, and this Mortise reads ${VERSION} only`;
  if (!isJsonObject(value.plugins)) return "'plugins' must be an object";
  const pins = new Map<string, PluginPins>();
  for (const [key, plugin] of Object.entries(value.plugins)) {
    const read = parsePlugin(isJsonObject(plugin) ? plugin : {});
    if (typeof read === 'string') return `plugins.${show(key)}.${read}`;
    pins.set(key, read);
  }
  return pins;
}

/** Files of former versions hold tools alone. */
function parsePlugin({ tools, file, ...others }: JsonObject): PluginPins | string {
  const pins: [string, ToolPin][] = [];
  if (file !== undefined) {
    if (!isPin(file)) return 'file lacks its sha256 or its definition';
    pins.push([FILE_LABEL, file as unknown as ToolPin]);
  }
  const sections =
    file === undefined ? [] : SECTIONS.map(({ section, prefix }) => ({ section, prefix, value: others[section] }));
  for (const { section, prefix, value } of [{ section: 'tools', prefix: '', value: tools }, ...sections]) {
    if (!isJsonObject(value)) return `${section} is not an object`;
    for (const [name, one] of Object.entries(value)) {
      if (!isPin(one)) return `${section}.${show(name)} lacks its sha256 or its definition`;
      pins.push([prefix + name, one as unknown as ToolPin]);
    }
  }
  return new Map(pins);
}

function isPin(pin: JsonValue): boolean {
  if (!isJsonObject(pin) || !isJsonObject(pin.definition)) return false;
  return /^[0-9a-f]{64}$/.test(String(pin.sha256)) && !isDeeper(pin.definition, MAX_DEPTH);
}

const MAX_TEXT_CHARS = 80;

/** Whole, or not at all: a part of a secret is not recognised when this is redacted. */
function show(value: JsonValue | undefined): string {
  const json = JSON.stringify(value) ?? 'missing';
  return json.length <= MAX_TEXT_CHARS ? json : 'something longer';
}

function parseJson(text: string): { value: JsonValue } | { error: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { error: /^<{7} /m.test(text) ? 'it contains unresolved merge conflict markers' : 'it is not JSON' };
  }
}

function syntaxPosition(text: string): Pick<ProblemLocation, 'line' | 'column'> {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch (error) {
    // It recurses, and only the place is lost.
    if (!(error instanceof RangeError)) throw error;
  }
  return errors[0] ? positionIn(text, errors[0].offset) : {};
}

function invalid(why: string, location: ProblemLocation): PluginProblem {
  return {
    severity: 'warning',
    code: 'PIN_FILE_INVALID',
    message: `${PIN_FILE} cannot be read, so nothing is compared with it: ${why}`,
    hint: 'Correct it or restore it from version control. If you delete it, the current definitions are pinned again.',
    location,
  };
}
