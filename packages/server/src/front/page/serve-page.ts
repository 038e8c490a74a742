import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { THEME_COOKIE, THEMES } from '../../core/page-names.js';
import { packagePath } from '../../util/package-root.js';

/** The folder of the built page. `npm run build` fills it, and it is packed with the server. */
const FOLDER = packagePath('workbench/');

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The content security policy of the page (docs/spec/protocol.md#page), without its `style-src`. */
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
 * Serves the workbench page at `/`, and its assets. The path of the request is looked up among the known files; it is
 * never resolved as a file path.
 * @param takesKeys false if the server takes no access keys; the page then does not wait for the browser's storage
 * @returns false if the method is not GET or HEAD, or the path is not of the page; then nothing is sent
 */
export function servePage(
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
  takesKeys: boolean,
): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  files ??= readFiles();
  const path = url.split('?', 1)[0]!;
  const file = files.get(path === '/' ? variantKey(themeOf(headers.cookie), takesKeys) : path);
  if (file === undefined) return false;
  response.writeHead(200, { ...file.headers, ...openerPolicy(path, headers['sec-fetch-site']) });
  response.end(method === 'HEAD' ? undefined : file.body);
  return true;
}

/**
 * With this policy, a page that opens the workbench cannot keep a reference to its window. If the user has opened the
 * workbench (`Sec-Fetch-Site: none`), no other page has a reference, and the policy would only make the browser start
 * another process, which takes about 30 ms.
 */
function openerPolicy(path: string, fetchSite: IncomingHttpHeaders[string]): Record<string, string> {
  if (path !== '/') return {};
  return { vary: 'sec-fetch-site', ...(fetchSite !== 'none' && { 'cross-origin-opener-policy': 'same-origin' }) };
}

/** The theme that the user has chosen; empty for the system's theme. */
function themeOf(cookies = ''): string {
  const [, chosen] =
    cookies
      .split('; ')
      .map((cookie) => cookie.split('=', 2))
      .find(([name]) => name === THEME_COOKIE) ?? [];
  return THEMES.find((theme) => theme === chosen) ?? '';
}

/** The key of one variant of the page in `files`. It has a question mark, which no path of a request has. */
const variantKey = (theme: string, takesKeys: boolean) => `/?${theme}${takesKeys ? '' : '&no-keys'}`;

/**
 * Reads the assets by their URL path, and each variant of the page by its {@link variantKey}.
 * @returns an empty map if the page has not been built
 */
function readFiles(): ReadonlyMap<string, PageFile> {
  const index = join(FOLDER, 'index.html');
  if (!existsSync(index)) return new Map();
  const assets = readdirSync(join(FOLDER, 'assets')).filter((name) => extname(name) in CONTENT_TYPES);
  return new Map([
    ...['', ...THEMES].flatMap((theme) =>
      [true, false].map((takesKeys): [string, PageFile] => [
        variantKey(theme, takesKeys),
        toPageFile('index.html', markPage(readFileSync(index, 'utf8'), theme, takesKeys), 'no-cache'),
      ]),
    ),
    ...assets.map((name): [string, PageFile] => [
      `/assets/${name}`,
      // The name of an asset contains the hash of its content.
      toPageFile(name, readFileSync(join(FOLDER, 'assets', name)), 'public, max-age=31536000, immutable'),
    ]),
  ]);
}

/** Adds the attributes that the page's styles and first script read. */
function markPage(page: string, theme: string, takesKeys: boolean): Buffer {
  const attributes = [...(theme === '' ? [] : [`data-theme="${theme}"`]), ...(takesKeys ? [] : ['data-keys="none"'])];
  return Buffer.from(page.replace('<html ', `<html ${attributes.map((attribute) => `${attribute} `).join('')}`));
}

function toPageFile(path: string, body: Buffer, cacheControl: string): PageFile {
  const headers = {
    ...HEADERS,
    'content-security-policy': [...POLICY, `style-src ${styleSource(body)}`].join('; '),
    'content-type': CONTENT_TYPES[extname(path)]!,
    'content-length': String(body.length),
    'cache-control': cacheControl,
  };
  return { body, headers };
}

/** The allowed source of styles: the hash of the page's own `<style>` element, or `'none'` for a file without one. */
function styleSource(body: Buffer): string {
  const styles = /<style>(.*?)<\/style>/s.exec(body.toString())?.[1];
  return styles === undefined ? "'none'" : `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;
}
