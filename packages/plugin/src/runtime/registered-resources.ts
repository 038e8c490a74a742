import type { ResourceContents } from '../content.js';
import type { Icon } from '../icon.js';
import type { JsonObject } from '../json.js';
import type { Completer, ListContext, WatchContext } from '../register.js';
import { FAILURE } from '../result-details.js';
import type { ResourceEntry } from './catalog.js';
import { isBytes, MalformedContentError, parseContents, toBase64 } from './content-blocks.js';
import { describeValue } from './describe.js';
import { errorOutcome, failureOutcome } from './error-outcome.js';
import { failureDetailsOf, unreadable } from './normalise.js';
import type { ReadOutcome } from './outcome.js';
import { parseIcons } from './parse-icons.js';
import { parseAnnotations, parseMeta } from './parse-meta.js';
import type { ResourceDefinition } from './plugin-instance.js';
import { shortName } from './quoted.js';
import { MAX_TITLE_CHARS } from './tool-definition.js';

/** Thrown for an invalid registration. The message describes the fault. */
export class MalformedRegistrationError extends Error {}

/** The URI has the scheme `mortise:`, which is the server's own. */
export class ReservedUriError extends MalformedRegistrationError {}

const MAX_URI_CHARS = 8_192;

const URI = /^[a-z][a-z\d+.-]*:\S+$/i;
const OWN_SCHEME = /^\s*mortise:/i;
const TEMPLATE = /^(?:[^{}\s]|\{[+#./;?&]?[\w.%*:,]+\})+$/;

/** Reads a registered resource. Every member is read once and checked. @throws MalformedRegistrationError */
export function parseResourceEntry(entry: unknown): ResourceEntry {
  const definition = parseResourceDefinition(entry);
  const key = definition.uri ?? definition.uriTemplate;
  const { complete, read, list, watch } = entry as Record<string, unknown>;
  if (typeof read !== 'function') throw new MalformedRegistrationError(`Resource ${key} has no read function.`);
  if (list != null && definition.uri !== undefined)
    throw new MalformedRegistrationError(
      `Resource ${key} has a list, which only a resource with uriTemplate can have.`,
    );
  if (list != null && typeof list !== 'function')
    throw new MalformedRegistrationError(`list of resource ${key} must be a function, not ${describeValue(list)}.`);
  if (watch != null && typeof watch !== 'function')
    throw new MalformedRegistrationError(`watch of resource ${key} must be a function, not ${describeValue(watch)}.`);
  const completers = parseCompleters(complete, `Resource ${key}`);
  definition.completes = [...completers.keys()];
  const source = entry as object;
  if (list != null) definition.lists = true;
  if (watch != null) definition.watches = true;
  return {
    definition,
    source,
    problems: [],
    complete: completers,
    read: (...args) => read.apply(source, args),
    ...(typeof list === 'function' && { list: (context: ListContext) => list.call(source, context) }),
    ...(typeof watch === 'function' && {
      watch: (uri: string, variables: Record<string, string>, context: WatchContext) =>
        watch.call(source, uri, variables, context),
    }),
  };
}

/**
 * Reads the definition of a resource or template as plain data. `completes` is empty.
 * @throws MalformedRegistrationError
 */
export function parseResourceDefinition(entry: unknown): ResourceDefinition {
  if (typeof entry !== 'object' || entry === null)
    throw new MalformedRegistrationError(`A resource must be an object, not ${describeValue(entry)}.`);
  const { uri, uriTemplate, name, title, description, mimeType, size, annotations, icons, _meta } = entry as Record<
    string,
    unknown
  >;
  if ((uri == null) === (uriTemplate == null))
    throw new MalformedRegistrationError('A resource must have either uri or uriTemplate.');
  if (uri != null && !(typeof uri === 'string' && URI.test(uri))) {
    throw new MalformedRegistrationError('The uri of a resource must be a URI with a scheme, such as `notes://today`.');
  }
  if (
    uriTemplate != null &&
    !(typeof uriTemplate === 'string' && TEMPLATE.test(uriTemplate) && uriTemplate.includes('{'))
  ) {
    throw new MalformedRegistrationError(
      'The uriTemplate of a resource must be an RFC 6570 template, such as `notes://{day}`.',
    );
  }
  const key = (uri ?? uriTemplate) as string;
  if (uri != null && !URL.canParse(key))
    throw new MalformedRegistrationError(`The uri '${shortName(key)}' cannot be parsed.`);
  if (key.length > MAX_URI_CHARS)
    throw new MalformedRegistrationError(`The URI '${shortName(key)}' has more than ${MAX_URI_CHARS} characters.`);
  if (isOwnScheme(key))
    throw new ReservedUriError(`The URI '${shortName(key)}' has the scheme mortise:, which is reserved.`);
  if (typeof name !== 'string' || name === '') throw new MalformedRegistrationError(`Resource ${key} has no name.`);
  return {
    ...(uri != null ? { uri: key } : { uriTemplate: key }),
    ...(optionalTexts({ name, title, description, mimeType }, `Resource ${shortName(key)}`) as { name: string }),
    ...optionalSize(size, uri, `Resource ${shortName(key)}`),
    ...optionalAnnotations(annotations, `Resource ${shortName(key)}`),
    ...optionalIcons(icons, `Resource ${shortName(key)}`),
    ...optionalMeta(_meta, `Resource ${shortName(key)}`),
    completes: [],
  };
}

/** True if a URI or template has the scheme `mortise:`, in any letter case. */
export const isOwnScheme = (key: string): boolean => OWN_SCHEME.test(key);

/** The texts that are present. @throws MalformedRegistrationError if one is not a string, or is too long for a label */
export function optionalTexts(members: Record<string, unknown>, subject: string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(members)) {
    if (value == null) continue;
    if (typeof value !== 'string')
      throw new MalformedRegistrationError(`The ${name} of ${subject} is ${describeValue(value)}, not a string.`);
    if (name !== 'description' && value.length > MAX_TITLE_CHARS)
      throw new MalformedRegistrationError(`The ${name} of ${subject} has more than ${MAX_TITLE_CHARS} characters.`);
    texts[name] = value;
  }
  return texts;
}

/** @throws MalformedRegistrationError */
export function optionalIcons(icons: unknown, subject: string): { icons?: Icon[] } {
  if (icons == null) return {};
  const read = parseIcons(icons);
  if ('icons' in read) return read;
  throw new MalformedRegistrationError(`${subject}: ${read.fault}.`);
}

/** @throws MalformedRegistrationError */
export function optionalMeta(value: unknown, subject: string): { _meta?: JsonObject } {
  if (value == null) return {};
  const read = parseMeta(value);
  if ('meta' in read) return { _meta: read.meta };
  throw new MalformedRegistrationError(`${subject}: ${read.fault}.`);
}

function optionalAnnotations(value: unknown, subject: string): Pick<ResourceDefinition, 'annotations'> {
  if (value == null) return {};
  const read = parseAnnotations(value);
  if ('annotations' in read) return read;
  throw new MalformedRegistrationError(`${subject}: ${read.fault}.`);
}

function optionalSize(size: unknown, uri: unknown, subject: string): { size?: number } {
  if (size == null || uri == null) return {};
  if (typeof size === 'number' && Number.isFinite(size)) return { size };
  throw new MalformedRegistrationError(`The size of ${subject} is ${describeValue(size)}, not a number of bytes.`);
}

function parseCompleters(complete: unknown, subject: string): Map<string, Completer> {
  if (complete == null) return new Map();
  if (typeof complete !== 'object')
    throw new MalformedRegistrationError(`complete of ${subject} must be an object of functions by variable name.`);
  for (const [variable, completer] of Object.entries(complete)) {
    if (typeof completer !== 'function')
      throw new MalformedRegistrationError(`complete.${variable} of ${subject} is not a function.`);
  }
  return new Map(Object.entries(complete) as [string, Completer][]);
}

/** Converts the return value of `read` to contents. Never throws. @param mimeType the registered one */
export function normaliseRead(returned: unknown, uri: string, mimeType: string | undefined): ReadOutcome {
  if (returned === null) return errorOutcome('RESOURCE_NOT_FOUND', `Resource not found: ${uri}`);
  try {
    const details =
      typeof returned === 'object' && returned !== null && FAILURE in returned ? failureDetailsOf(returned) : undefined;
    return details === undefined
      ? { kind: 'success', contents: contentsOf(returned, uri, mimeType) }
      : failureOutcome(details);
  } catch (error) {
    return unreadable(returned, error, { subject: 'The resource', hint: READ_HINT });
  }
}

const READ_HINT = 'Return a string, bytes, { text }, { blob } or { contents }; null if nothing exists under the URI.';
const TEXT = 'text/plain';
const BYTES = 'application/octet-stream';

function contentsOf(returned: unknown, uri: string, mimeType: string | undefined): ResourceContents[] {
  if (typeof returned === 'string') return [{ uri, mimeType: mimeType ?? TEXT, text: returned }];
  if (isBytes(returned)) return [{ uri, mimeType: mimeType ?? BYTES, blob: toBase64(returned) }];
  if (
    typeof returned !== 'object' ||
    returned === null ||
    !['contents', 'text', 'blob'].some((member) => member in returned)
  ) {
    throw new MalformedContentError(`${describeValue(returned)} for ${uri}`);
  }
  const { contents } = returned as { contents?: unknown };
  if (contents === undefined) return [withMimeType(parseContents(returned, 'contents', { uri }), mimeType)];
  if (!Array.isArray(contents))
    throw new MalformedContentError(`contents that is ${describeValue(contents)}, not an array`);
  return contents.map((content, index) =>
    withMimeType(parseContents(content, `contents[${index}]`, { uri }), mimeType),
  );
}

function withMimeType(contents: ResourceContents, registered: string | undefined): ResourceContents {
  return { ...contents, mimeType: contents.mimeType ?? registered ?? ('text' in contents ? TEXT : BYTES) };
}
