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
  PACKAGE_LABEL,
  type Pin,
  type PluginPins,
  promptLabel,
  resourceLabel,
} from './plugin-pins.js';

/** The name of the pin file, which is next to the configuration (docs/spec/plugin-definitions.md#pins). */
export const PIN_FILE = 'mortise.lock.json';

/** The pins of all plugins, by the keys of `pluginKeys`. */
export type AllPins = ReadonlyMap<string, PluginPins>;

const VERSION = 1;
const MAX_BYTES = 256 * 1024 * 1024;

/** Reads a pin file. A missing file has no pins, and an invalid one is the problem PIN_FILE_INVALID. Never throws. */
export function readPinFile(file: string): { pins: AllPins } | { problem: PluginProblem } {
  const content = readTextFile(file, MAX_BYTES);
  if (content.kind === 'missing') return { pins: new Map() };
  if (content.kind === 'unreadable') return { problem: invalid(content.why, { file }) };
  const parsed = parseJson(content.text);
  if ('error' in parsed) return { problem: invalid(parsed.error, { file, ...syntaxPosition(content.text) }) };
  const pins = parsePins(parsed.value);
  return typeof pins === 'string' ? { problem: invalid(pins, { file }) } : { pins };
}

/** Returns the text of a pin file. Everything is sorted, so that two versions can be compared line by line. */
export function formatPinFile(pins: AllPins): string {
  const plugins = sorted(pins, formatPlugin);
  return `${JSON.stringify({ version: VERSION, plugins }, null, 2)}\n`;
}

/** The sections of a plugin besides `tools`. The prefix of a pin's label decides about its section. */
const SECTIONS = [
  { section: 'resources', prefix: resourceLabel('') },
  { section: 'prompts', prefix: promptLabel('') },
] as const;

function formatPlugin(pins: PluginPins): object {
  const sectionOf = (belongs: (label: string) => boolean, prefixLength: number) =>
    sorted(
      new Map([...pins].filter(([label]) => belongs(label)).map(([label, pin]) => [label.slice(prefixLength), pin])),
      (pin) => pin,
    );
  const tools = sectionOf((label) => !label.includes(' '), 0);
  if (!isWhole(pins)) return { tools };
  const others = SECTIONS.map(({ section, prefix }) => [
    section,
    sectionOf((label) => label.startsWith(prefix), prefix.length),
  ]);
  const origin = pins.get(PACKAGE_LABEL);
  return { file: pins.get(FILE_LABEL), ...(origin && { package: origin }), tools, ...Object.fromEntries(others) };
}

function sorted<V>(map: ReadonlyMap<string, V>, write: (value: V) => unknown): object {
  const entries = [...map].sort(by(([key]) => key));
  return Object.fromEntries(entries.map(([key, value]) => [key, write(value)]));
}

/** Returns the pins, or the reason why they are invalid. */
function parsePins(value: JsonValue): AllPins | string {
  if (!isJsonObject(value)) return 'an object was expected';
  if (value.version !== VERSION) return `its version is ${show(value.version)}, and this Mortise reads ${VERSION} only`;
  if (!isJsonObject(value.plugins)) return "'plugins' must be an object";
  const pins = new Map<string, PluginPins>();
  for (const [key, plugin] of Object.entries(value.plugins)) {
    const pluginPins = parsePlugin(isJsonObject(plugin) ? plugin : {});
    if (typeof pluginPins === 'string') return `plugins.${show(key)}.${pluginPins}`;
    pins.set(key, pluginPins);
  }
  return pins;
}

/** Returns the pins of a plugin, or the reason why they are invalid. Files of earlier versions contain only tools. */
function parsePlugin({ tools, file, ...others }: JsonObject): PluginPins | string {
  const pins: [string, Pin][] = [];
  if (file !== undefined) {
    if (!isPin(file)) return 'file lacks its sha256 or its definition';
    pins.push([FILE_LABEL, file as unknown as Pin]);
  }
  const origin = file === undefined ? undefined : others.package;
  if (origin !== undefined) {
    if (!isPin(origin)) return 'package lacks its sha256 or its definition';
    pins.push([PACKAGE_LABEL, origin as unknown as Pin]);
  }
  const sections =
    file === undefined ? [] : SECTIONS.map(({ section, prefix }) => ({ section, prefix, value: others[section] }));
  for (const { section, prefix, value } of [{ section: 'tools', prefix: '', value: tools }, ...sections]) {
    if (!isJsonObject(value)) return `${section} is not an object`;
    for (const [name, pin] of Object.entries(value)) {
      if (!isPin(pin)) return `${section}.${show(name)} lacks its sha256 or its definition`;
      pins.push([prefix + name, pin as unknown as Pin]);
    }
  }
  return new Map(pins);
}

function isPin(pin: JsonValue): boolean {
  if (!isJsonObject(pin) || !isJsonObject(pin.definition)) return false;
  return /^[0-9a-f]{64}$/.test(String(pin.sha256)) && !isDeeper(pin.definition, MAX_DEPTH);
}

const MAX_TEXT_CHARS = 80;

/**
 * Shows a value for a message. A long value is not truncated but left out, because redaction misses a part of a secret.
 */
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
    // `parse` recurses, and deep nesting overflows the stack. Only the position is lost.
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
