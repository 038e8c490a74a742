import type { ContentBlock, ResourceContents } from '../content.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import { describeValue } from './describe.js';
import { type Check, type Members, memberFault, members, must, number, object, text } from './member-checks.js';
import { withCamelCaseMembers } from './published-members.js';
import { quoted } from './quoted.js';
import { toJsonValue } from './to-json-value.js';

/** Thrown for content that MCP does not allow. The message names the block and its fault. */
export class MalformedContentError extends Error {}

/** Options that accept the looser forms of a plugin's own blocks. */
export interface BlockOptions {
  /** `class` also accepts members of the published C# API. */
  readonly style: 'class' | 'registered' | 'defined';
  /** Called with a description of everything that was accepted although MCP does not allow it. */
  warn(message: string): void;
}

/**
 * Converts blocks to MCP's form. Known members are checked, null members omitted, unknown members kept, and bytes
 * written as base64. With `options`, a block of an unknown type that has a `text` becomes a text block, with a warning.
 * @throws MalformedContentError
 */
export function parseBlocks(content: unknown, options?: BlockOptions): ContentBlock[] {
  if (!Array.isArray(content)) {
    throw new MalformedContentError(
      `content that is ${describeValue(content)}; it must be a string or an array of blocks`,
    );
  }
  const blocks: ContentBlock[] = [];
  for (let i = 0; i < content.length; i++) blocks.push(parseBlock(content[i], `content[${i}]`, options));
  return blocks;
}

/** Converts one block. @param where names the block in messages @throws MalformedContentError */
export function parseBlock(input: unknown, where: string, options?: BlockOptions): ContentBlock {
  if (!isJsonObject(input)) {
    throw new MalformedContentError(`${where} that is ${describeValue(input)}; a block is an object with a type`);
  }
  const block = options?.style === 'class' ? withCamelCaseMembers(input, options) : input;
  const { type, text } = block as { type?: unknown; text?: unknown };
  const expected =
    typeof type === 'string' && Object.hasOwn(BLOCKS, type) ? BLOCKS[type as ContentBlock['type']] : undefined;
  if (expected === undefined && options !== undefined && typeof text === 'string') {
    const fault = typeof type === 'string' ? `the type ${quoted(type)}, which MCP does not have` : 'no type';
    options.warn(`a content block has ${fault}; it is sent as text`);
    return checkedCopy({ ...block, type: 'text' }, BLOCKS.text, where) as unknown as ContentBlock;
  }
  if (expected === undefined) {
    const fault = typeof type === 'string' ? `the type ${quoted(type)}` : 'no type';
    throw new MalformedContentError(`${where} with ${fault}; MCP knows ${Object.keys(BLOCKS).join(', ')}`);
  }
  return checkedCopy(withBase64(block), expected, where) as unknown as ContentBlock;
}

/** Members whose own members may be null; they are removed, because clients refuse null there. */
const INNER = ['annotations', 'resource'] as const;

/** Reads the text or blob of a resource. @param fallback the values of missing members @throws MalformedContentError */
export function parseContents(
  input: unknown,
  where: string,
  fallback: { uri?: string; mimeType?: string } = {},
): ResourceContents {
  if (!isJsonObject(input)) {
    throw new MalformedContentError(
      `${where} that is ${describeValue(input)}; it must be an object with uri and text or blob`,
    );
  }
  const contents = checkedCopy({ ...fallback, ...withBase64(input) }, CONTENTS, where);
  if ('text' in contents === 'blob' in contents) {
    throw new MalformedContentError(`${where} that must have either text or blob`);
  }
  return contents as unknown as ResourceContents;
}

const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/;
const URI = /^[a-z][a-z\d+.-]*:\S/i;
const BASE64 = /^[A-Za-z\d+/]*={0,2}$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

const uri = must('a URI with a scheme', (value) => typeof value === 'string' && URI.test(value));
const mimeType = must('a MIME type such as text/plain', (value) => typeof value === 'string' && MIME_TYPE.test(value));
const base64 = must(
  'base64 (RFC 4648, padded, without line breaks or a data: prefix), or bytes',
  (value) => typeof value === 'string' && value.length % 4 === 0 && BASE64.test(value),
);
const mediaType = (type: string) =>
  must(`a MIME type ${type}/…`, (value) => mimeType(value) === undefined && (value as string).startsWith(`${type}/`));

/** Returns what the annotations of a block or resource must be. undefined if they are valid. */
export const annotationsFault: Check = (value) => {
  if (!isJsonObject(value)) return 'an object';
  const { audience, priority, lastModified } = value;
  if (
    audience != null &&
    !(Array.isArray(audience) && audience.every((role) => role === 'user' || role === 'assistant'))
  ) {
    return "an object whose audience is a list of 'user' and 'assistant'";
  }
  if (priority != null && !(typeof priority === 'number' && priority >= 0 && priority <= 1)) {
    return 'an object whose priority is 0 to 1';
  }
  return lastModified == null || (typeof lastModified === 'string' && DATE_TIME.test(lastModified))
    ? undefined
    : 'an object whose lastModified is an ISO 8601 date and time';
};

const COMMON = { type: text, 'annotations?': annotationsFault, '_meta?': object };
const CONTENTS = members({ uri, 'mimeType?': mimeType, 'text?': text, 'blob?': base64, '_meta?': object });

const resource: Check = (value) => {
  try {
    parseContents(value, '');
    return undefined;
  } catch {
    return 'an object with uri and either text or blob (base64), and a valid mimeType if any';
  }
};

const isIcon = (icon: JsonValue) => isJsonObject(icon) && typeof icon.src === 'string';
const icons = must('a list of objects with a src', (value) => Array.isArray(value) && value.every(isIcon));

const BLOCKS: Record<ContentBlock['type'], Members> = {
  text: members({ text, ...COMMON }),
  image: members({ data: base64, mimeType: mediaType('image'), ...COMMON }),
  audio: members({ data: base64, mimeType: mediaType('audio'), ...COMMON }),
  resource_link: members({
    uri,
    name: text,
    'title?': text,
    'description?': text,
    'mimeType?': mimeType,
    'size?': number,
    'icons?': icons,
    ...COMMON,
  }),
  resource: members({ resource, ...COMMON }),
};

function checkedCopy(input: object, expected: Members, where: string): JsonObject {
  const copy = toJsonValue(input);
  if (!isJsonObject(copy)) throw new MalformedContentError(`${where} that is ${describeValue(input)}`);
  for (const { name, isOptional } of expected) if (isOptional && copy[name] === null) delete copy[name];
  for (const name of INNER) {
    const inner = copy[name];
    if (isJsonObject(inner)) for (const key of Object.keys(inner)) if (inner[key] === null) delete inner[key];
  }
  const fault = memberFault(copy, expected);
  if (fault !== undefined) throw new MalformedContentError(`${where} whose ${fault}`);
  return copy;
}

/** The fault of a block that is already JSON; undefined if it is valid. Copies nothing. */
export function blockFault(block: unknown): string | undefined {
  if (!isJsonObject(block)) return `is ${describeValue(block)}, not an object`;
  const { type } = block;
  if (typeof type !== 'string' || !Object.hasOwn(BLOCKS, type)) return 'has a type that MCP does not have';
  return memberFault(block, BLOCKS[type as ContentBlock['type']]);
}

export function contentsFault(contents: unknown): string | undefined {
  if (!isJsonObject(contents)) return `is ${describeValue(contents)}, not an object`;
  if ('text' in contents === 'blob' in contents) return 'must have either text or blob';
  return memberFault(contents, CONTENTS);
}

/** JSON has no bytes: those under data, blob and resource become base64. */
function withBase64(input: object): object {
  const encoded: Record<string, unknown> = {};
  for (const name of ['data', 'blob', 'resource'] as const) {
    const value = (input as Record<string, unknown>)[name];
    if (isBytes(value)) encoded[name] = toBase64(value);
    else if (name === 'resource' && typeof value === 'object' && value !== null) {
      const inner = withBase64(value);
      if (inner !== value) encoded[name] = inner;
    }
  }
  return Object.keys(encoded).length > 0 ? { ...input, ...encoded } : input;
}

type Bytes = ArrayBuffer | ArrayBufferView;

export function isBytes(value: unknown): value is Bytes {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

export function toBase64(bytes: Bytes): string {
  const buffer = ArrayBuffer.isView(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : Buffer.from(bytes);
  return buffer.toString('base64');
}
