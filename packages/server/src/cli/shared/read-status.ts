import { isJsonObject } from '@mortise/plugin/runtime';
import { reasonOf } from '../../access/tokens/discover-issuer.js';
import { KEY_VARIABLE, MCP_PATH } from '../../core/page-names.js';
import { type ServerStatus, STATUS_PATH } from '../../core/server-status.js';
import { CliError } from './cli-error.js';

/** The maximum time that a server has for its answer. */
const ANSWER_MS = 5_000;
/** Maps each answer of `/readyz` to true if the server serves in that state. */
const STATES: ReadonlyMap<string, boolean> = new Map([
  ['ready', true],
  ['degraded', true],
  ['starting', false],
  ['stopping', false],
]);

/** The part of a server's status that a caller may read: without a key only the state. */
export type SeenStatus = Pick<ServerStatus, 'state'> & Partial<ServerStatus>;

export const isServing = ({ state }: SeenStatus): boolean => STATES.get(state) ?? false;

/**
 * Asks a running server for its status.
 * @param url the URL of MCP, as clients have it @param key an access key, or undefined
 * @throws CliError if the server does not answer, is no Mortise server, or refuses the key
 */
export async function readStatus(url: string, key: string | undefined): Promise<SeenStatus> {
  const base = baseOf(url);
  const ready = await ask(new URL('readyz', base), undefined);
  const state = ready.text.trim();
  if (!STATES.has(state)) throw notMortise(base, `its /readyz does not say a state (status ${ready.status})`);
  if (key === undefined) return { state };
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const hint = 'Set it to an access key, without spaces and line ends.';
    throw new CliError('usage', { message: `${KEY_VARIABLE} is not an access key.`, hint });
  }
  const { status, text } = await ask(new URL(STATUS_PATH.slice(1), base), key);
  if (status === 200) return parseStatus(text, base);
  if (status !== 401 && status !== 403 && status !== 429)
    throw notMortise(base, `its ${STATUS_PATH} has status ${status}`);
  throw new CliError('failed', {
    message: `The server refuses the key of ${KEY_VARIABLE} (${status}): ${text.trim()}`,
    hint: `Make a key with \`mortise key new <name> --scope mortise:operate\`, or unset ${KEY_VARIABLE}.`,
  });
}

/** Returns the URL of the folder with the server's pages, which precedes `/mcp`. @throws CliError for another URL */
function baseOf(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    const hint = 'Write it as clients do: https://tools.example.com/mcp.';
    throw new CliError('usage', { message: `--url ${url} is not a URL of HTTP.`, hint });
  }
  const path = parsed.pathname.replace(new RegExp(`${MCP_PATH}(/p/[^/]+)?/?$`), '').replace(/\/*$/, '/');
  return new URL(path, parsed.origin);
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

async function ask(url: URL, key: string | undefined): Promise<Reply> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw new CliError('failed', {
      message: `The server at ${url.origin} does not answer: ${reasonOf(error)}.`,
      hint: 'Check the URL, and that the server was started with --http.',
    });
  }
}

function parseStatus(text: string, base: URL): ServerStatus {
  try {
    const status: unknown = JSON.parse(text);
    if (isStatus(status)) return status;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw notMortise(base, `its ${STATUS_PATH} is not that of Mortise`);
}

function isStatus(value: unknown): value is ServerStatus {
  if (!isJsonObject(value)) return false;
  const { server, version, replica, store, calls } = value;
  const isStore = store === null || (isJsonObject(store) && Array.isArray(store.hosts));
  return server === 'mortise' && [version, replica].every(isString) && isStore && isJsonObject(calls);
}

const isString = (value: unknown) => typeof value === 'string';

const notMortise = (base: URL, reason: string) =>
  new CliError('failed', {
    message: `There is no Mortise server at ${base.href}: ${reason}.`,
    hint: 'Check the URL, such as http://127.0.0.1:3333/mcp, and that the server is not of an older version.',
  });
