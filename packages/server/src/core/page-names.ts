// Names that the server and its page share. The page is built with this module, so it imports nothing.

/** Where the server speaks MCP over HTTP. */
export const MCP_PATH = '/mcp';

/** The environment variable that a client takes its access key from. */
export const KEY_VARIABLE = 'MORTISE_KEY';

/** The resource that lists the plugins. */
export const PLUGINS_URI = 'mortise://plugins';

/**
 * Members of the `_meta` of its contents: who reads (docs/spec/access.md#reader), and
 * docs/spec/plugin-api.md#tool-actions.
 */
export const PLUGINS_META = { principal: 'mortise/principal', actions: 'mortise/actions' } as const;

/** The tool that reloads plugins and accepts definitions, by its author's name. */
export const OPERATE_TOOL = 'builtin.operate';

/** How the one-time token of `mortise workbench` begins (docs/spec/access.md#page-key). */
export const PAGE_TOKEN_PREFIX = 'mortise-page-';

/**
 * The cookie with the colours that a person has chosen; without it those of the system (docs/spec/protocol.md#page).
 */
export const THEME_COOKIE = 'mortise-theme';
export const THEMES = ['light', 'dark'] as const;
