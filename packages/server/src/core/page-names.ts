// Names that the server and its page share. The page is built with this module, so it imports nothing.

/** The path at which the server speaks MCP over HTTP. */
export const MCP_PATH = '/mcp';

/** The environment variable from which a client takes its access key. */
export const KEY_VARIABLE = 'MORTISE_KEY';

/**
 * The first sentence of the server's answer to a request without a valid access key. The page recognises the answer by
 * this sentence and replaces the rest by what a person can do.
 */
export const KEY_REFUSED = 'The access key is missing or not valid.';

/** The resource that lists the plugins. */
export const PLUGINS_URI = 'mortise://plugins';

/**
 * The members of `_meta` in PLUGINS_URI: the reader (docs/spec/access.md#reader) and the actions of each tool
 * (docs/spec/plugin-api.md#tool-actions).
 */
export const PLUGINS_META = { principal: 'mortise/principal', actions: 'mortise/actions' } as const;

/** The author's name of the tool that reloads plugins and accepts definitions. */
export const OPERATE_TOOL = 'builtin.operate';

/** The prefix of the one-time token of `mortise workbench` (docs/spec/access.md#page-key). */
export const PAGE_TOKEN_PREFIX = 'mortise-page-';

/**
 * The cookie with the theme that the user chose. Without it the page has the system's theme
 * (docs/spec/protocol.md#page).
 */
export const THEME_COOKIE = 'mortise-theme';
export const THEMES = ['light', 'dark'] as const;
