// The workbench page against an empty page in the same browser: first paint, first usable form, results of 5 and 10 MB, frames while
// 1,000 tools are searched. `node bench/page.mjs [runs]`: needs Chromium and a build. Use a machine that does nothing else.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const RUNS = Number(process.argv[2] ?? 10);
const EMPTY = '<!doctype html><html lang="en"><title>Empty</title><p>Empty</p><input id="field"></html>';
const MANY = `export function register(api) {
  for (let n = 0; n < 1000; n++) {
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } } };
    api.registerTool({ name: 'many.tool' + n, title: 'Tool ' + n, description: 'Tool number ' + n, inputSchema, run: () => ({ content: 'ok' }) });
  }
}`;

const empty = createServer((_, res) => res.writeHead(200, { 'content-type': 'text/html' }).end(EMPTY));
await new Promise((resolve) => empty.listen(0, '127.0.0.1', resolve));
const emptyUrl = `http://127.0.0.1:${empty.address().port}/`;
const server = await serve();
const manyTools = await serve(MANY);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  chromiumSandbox: false,
  args: ['--disable-gpu', '--no-first-run', '--disable-background-networking'],
});

try {
  const emptyTimes = [];
  const pageTimes = [];
  // In turns, so that both see the same machine.
  for (let run = 0; run < RUNS; run += 1) {
    emptyTimes.push(await open(emptyUrl, '#field'));
    pageTimes.push(await open(`${server.url}/#/tools/weather_temperature`, 'textarea, input[type=text]'));
  }
  const rows = [
    ['first paint, empty page', median(emptyTimes, 'paintMs')],
    ['first paint, workbench', median(pageTimes, 'paintMs'), 2 * median(emptyTimes, 'paintMs')],
    ['usable field, empty page', median(emptyTimes, 'usableMs')],
    ['usable form, workbench', median(pageTimes, 'usableMs'), 3 * median(emptyTimes, 'usableMs')],
    ['5 MB result until it is shown (in the browser)', await shownAfter(5_000_000), 1_000],
    ['10 MB result until it is shown (in the browser)', await shownAfter(10_000_000), 2_000],
    ['longest task while 1,000 tools scroll and are searched', await longestTask(), 50],
  ];
  for (const [title, ms, limitMs] of rows) {
    const limit = limitMs === undefined ? '' : `  (limit ${limitMs.toFixed(0)} ms)${ms <= limitMs ? '' : '  OVER'}`;
    console.log(`${title.padEnd(56)} ${ms.toFixed(0).padStart(6)} ms${limit}`);
  }
} finally {
  await browser.close();
  server.close();
  manyTools.close();
  empty.close();
}

async function shownAfter(bytes) {
  const results = [];
  for (let run = 0; run < 3; run += 1) results.push(await largeResult(bytes));
  return median(results, 'ms');
}

function median(results, member) {
  const sorted = results.map((result) => result[member]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * From the navigation to the first paint, and to a field that takes text. The page itself says when it has both: what Playwright
 * evaluates in a page takes about 10 ms of its main thread, and must not come before.
 */
async function open(url, field) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript((selector) => {
    let usableMs;
    const look = () => {
      if (document.querySelector(selector)) usableMs ??= performance.now();
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      if (usableMs === undefined || paint === undefined) requestAnimationFrame(look);
      else console.info(JSON.stringify({ paintMs: paint.startTime, usableMs }));
    };
    look();
  }, field);
  const [message] = await Promise.all([
    page.waitForEvent('console', (event) => event.type() === 'info'),
    page.goto(url, { waitUntil: 'commit' }),
  ]);
  await context.close();
  return JSON.parse(message.text());
}

/** From the end of the response to the tree on the screen. */
async function largeResult(bytes) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const look = () => {
      const title = document.querySelector('.run h2')?.textContent;
      if (title === 'Done' && globalThis.doneAt === undefined) globalThis.doneAt = performance.now();
      requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(`${server.url}/#/tools/shapes_large`);
  await page.getByRole('textbox', { name: /^bytes/ }).fill(String(bytes));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  const ms = await page.evaluate(async () => {
    const tab = [...document.querySelectorAll('[role=tab]')].find(({ textContent }) => textContent === 'Data');
    const [call] = performance
      .getEntriesByType('resource')
      .filter(({ encodedBodySize }) => encodedBodySize > 1_000_000);
    const shownMs = globalThis.doneAt - call.responseEnd;
    const begin = performance.now();
    tab.click();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return shownMs + performance.now() - begin;
  });
  await context.close();
  return { ms };
}

async function longestTask() {
  const page = await browser.newPage();
  await page.goto(`${manyTools.url}/#/tools`);
  await page.getByRole('link', { name: /^Tools 10\d\d/ }).waitFor();
  await page.evaluate(() => {
    globalThis.tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  const list = page.locator('.tool-list');
  for (let step = 1; step <= 40; step += 1)
    await list.evaluate((element, top) => element.scrollTo(0, top), step * 1_000);
  await page.getByRole('searchbox', { name: 'Search the tools' }).pressSequentially('tool 99');
  await page.waitForTimeout(200);
  const longest = await page.evaluate(() => Math.max(0, ...tasks));
  await page.close();
  return longest;
}

async function serve(plugin) {
  const place = mkdtempSync(join(tmpdir(), 'mortise-bench-page-'));
  for (const folder of ['examples/plugins', 'test/workbench/plugins']) {
    cpSync(join(root, folder), join(place, 'plugins'), { recursive: true });
  }
  mkdirSync(join(place, 'node_modules/@mortise'), { recursive: true });
  symlinkSync(join(root, 'packages/plugin'), join(place, 'node_modules/@mortise/plugin'), 'junction');
  if (plugin) writeFileSync(join(place, 'plugins/many.mjs'), plugin);
  const config = join(place, 'appsettings.json');
  const Plugins = { Directory: 'plugins', StartWaitMs: 60_000, Limits: { MessageBytes: 16_777_216 } };
  writeFileSync(
    config,
    JSON.stringify({ Plugins, Output: { MaxResultBytes: 10_485_760 }, Dotnet: { Enabled: false } }),
  );
  const args = [join(root, 'packages/server/bin/mortise.mjs'), 'serve', '--http', '--port', '0', '--config', config];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: place },
  });
  const url = await new Promise((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const match = /(http:\/\/[^\s"]+)\/mcp/.exec(line);
      if (match) resolve(match[1]);
    });
  });
  return {
    url,
    close() {
      child.once('exit', () => rmSync(place, { recursive: true, force: true }));
      child.kill();
    },
  };
}
