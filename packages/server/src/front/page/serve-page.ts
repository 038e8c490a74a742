import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { THEME_COOKIE, THEMES } from '../../core/page-names.js';
import { packagePath } from '../../util/package-root.js';

/** Built there by `npm run build`, and packed with the server. */
const FOLDER = packagePath('workbench/');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** docs/spec/protocol.md#page */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  'img-src data: blob:',
  'media-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const HEADERS = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

interface PageFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

let files: ReadonlyMap<string, PageFile> | undefined;

/**
 * Serves the workbench page at `/` and its assets. Only what is in the package is served: a path is looked up among their
 * names, and nothing is resolved.
 * @param takesKeys whether a key makes a difference: the page waits for the one that it keeps
 * @returns false for any other path or method
 */
export function servePage(
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
  takesKeys: boolean,
): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  files ??= readFiles();
  const path = url.split('?', 1)[0]!;
  const file = files.get(path === '/' ? pageKey(themeOf(headers.cookie), takesKeys) : path);
  if (file === undefined) return false;
  response.writeHead(200, { ...file.headers, ...openerPolicy(path, headers['sec-fetch-site']) });
  response.end(method === 'HEAD' ? undefined : file.body);
  return true;
}

/**
 * A page that opens this one cannot keep a reference to its window. If the user opened it (`Sec-Fetch-Site: none`), no other page has
 * a reference, and the policy would only make the browser start another process, which takes about 30 ms.
 */
function openerPolicy(path: string, site: IncomingHttpHeaders[string]): Record<string, string> {
  if (path !== '/') return {};
  return { vary: 'sec-fetch-site', ...(site !== 'none' && { 'cross-origin-opener-policy': 'same-origin' }) };
}

/** The colours that a person has chosen; empty for those of the system. */
function themeOf(cookies = ''): string {
  const [, chosen] =
    cookies
      .split('; ')
      .map((cookie) => cookie.split('=', 2))
      .find(([name]) => name === THEME_COOKIE) ?? [];
  return THEMES.find((theme) => theme === chosen) ?? '';
}

/** The page of this kind, among the files; no path contains a question mark. */
const pageKey = (theme: string, takesKeys: boolean) => `/?${theme}${takesKeys ? '' : '&no-keys'}`;

/** By the path that they are served at; the page itself by its kind too. Empty where the page was not built. */
function readFiles(): ReadonlyMap<string, PageFile> {
  const index = join(FOLDER, 'index.html');
  if (!existsSync(index)) return new Map();
  const assets = readdirSync(join(FOLDER, 'assets')).filter((name) => extname(name) in TYPES);
  return new Map([
    ...['', ...THEMES].flatMap((theme) =>
      [true, false].map((takesKeys): [string, PageFile] => [
        pageKey(theme, takesKeys),
        toPageFile('index.html', markedPage(readFileSync(index, 'utf8'), theme, takesKeys), 'no-cache'),
      ]),
    ),
    ...assets.map((name): [string, PageFile] => [
      `/assets/${name}`,
      // Its name has the hash of its content.
      toPageFile(name, readFileSync(join(FOLDER, 'assets', name)), 'public, max-age=31536000, immutable'),
    ]),
  ]);
}

/** The page with what its scripts and styles need to know at once. */
function markedPage(page: string, theme: string, takesKeys: boolean): Buffer {
  const marks = [...(theme === '' ? [] : [`data-theme="${theme}"`]), ...(takesKeys ? [] : ['data-keys="none"'])];
  return Buffer.from(page.replace('<html ', `<html ${marks.map((mark) => `${mark} `).join('')}`));
}

function toPageFile(path: string, body: Buffer, cacheControl: string): PageFile {
  const headers = {
    ...HEADERS,
    'content-security-policy': [...POLICY, `style-src ${stylesIn(body)}`].join('; '),
    'content-type': TYPES[extname(path)]!,
    'content-length': String(body.length),
    'cache-control': cacheControl,
  };
  return { body, headers };
}

/** The sources of styles: those in the page itself, by their hash. */
function stylesIn(body: Buffer): string {
  const styles = /<style>(.*?)<\/style>/s.exec(body.toString())?.[1];
  return styles === undefined ? "'none'" : `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;
}
