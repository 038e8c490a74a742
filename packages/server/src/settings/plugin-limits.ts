import { GIB, KIB, MIB } from '../util/bytes.js';
import { integer, record, setting, type ValueOf } from './setting-schema.js';

const MANY = 1_000_000_000;

/**
 * A limit of one plugin or mounted server: its setting, and what happens when it is exceeded.
 * @param unit what one of it is, for messages: `tools`, `bytes`
 * @param beyond what happens beyond the limit, for docs/plugin-limits.md
 * @param advice what the author can do, if the advice is not simply to reduce the amount
 */
const limit = (
  [min, defaultValue, max]: readonly [number, number, number],
  unit: string,
  description: string,
  beyond: string,
  advice = 'Reduce it',
) => ({ ...setting(integer(min, max), defaultValue, description), default: defaultValue, unit, beyond, advice });

const DROPPED = 'Entries beyond the limit are dropped, and a problem reports it. The first ones are kept.';
const NOT_AVAILABLE = 'The entry is dropped, and a problem reports it.';
/** For the author of a result that is too large. */
export const RETURN_LESS = 'Return less, or a resource_link to a resource that holds it';
const NOT_LOADED = 'The file is not read and the plugin is not loaded.';

/**
 * The limits of what one plugin or mounted server can make the server hold, read or work through that are settings
 * (`Plugins.Limits`). Bounds that are the same for everyone are constants beside the code that checks them.
 * The defaults are far above what well-behaved plugins need.
 */
export const LIMITS = {
  DefinitionBytes: limit(
    [KIB, 2 * MIB, GIB],
    'bytes',
    'The whole definition of one plugin (tools, resources, prompts), as JSON.',
    DROPPED,
  ),
  EntryBytes: limit(
    [KIB, 256 * KIB, GIB],
    'bytes',
    'One tool, resource or prompt with its schemas, as JSON.',
    NOT_AVAILABLE,
  ),
  Tools: limit([1, 1000, MANY], 'tools', 'Tools of one plugin.', DROPPED),
  Resources: limit([1, 5000, MANY], 'resources', 'Resources of one plugin.', DROPPED),
  Templates: limit([1, 200, MANY], 'resource templates', 'Resource templates of one plugin.', DROPPED),
  Prompts: limit([1, 1000, MANY], 'prompts', 'Prompts of one plugin.', DROPPED),
  DescriptionChars: limit(
    [100, 50_000, GIB],
    'characters',
    'The title or description of one tool, resource, prompt or argument.',
    NOT_AVAILABLE,
  ),
  UriChars: limit(
    [100, 8192, MIB],
    'characters',
    'One URI or URI template, in a definition or in a request to read.',
    'The entry is dropped. A URI in a request matches no template.',
  ),
  MessageBytes: limit(
    [64 * KIB, 8 * MIB, GIB],
    'bytes',
    "One message of a plugin's process or a mounted server, such as a result or a list, and one of a client over stdio.",
    'The call ends with TOOL_INVALID_RESULT. A process that still sends more is killed.',
    RETURN_LESS,
  ),
  MessageValues: limit(
    [1000, 100_000, MANY],
    'values',
    'Object members and array items in one such message or one message of a client, at all levels. Data of a result is in it twice: as text, and as structuredContent or metadata.',
    'As for MessageBytes.',
    RETURN_LESS,
  ),
  ModuleBytes: limit(
    [KIB, 64 * MIB, GIB],
    'bytes',
    'One code file of a plugin: its entry, or a module or assembly that the entry loads.',
    NOT_LOADED,
  ),
};

export type LimitName = keyof typeof LIMITS;

export const LIMITS_SCHEMA = record(LIMITS);

/** `Plugins.Limits`, defaults filled in. */
export type PluginLimits = ValueOf<typeof LIMITS_SCHEMA>;

export const DEFAULT_LIMITS = Object.fromEntries(
  Object.entries(LIMITS).map(([name, { default: defaultValue }]) => [name, defaultValue]),
) as PluginLimits;
