import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { WAIT_MS } from './wait-for.js';

/** Debian's package; `CHROMIUM` names another one. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Why the tests of the page are skipped; undefined where a browser is installed. */
export const noBrowser = existsSync(CHROMIUM) ? undefined : `there is no Chromium at ${CHROMIUM}`;

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface OpenBrowser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** Its start takes a second of processor time: it is started once in a process of tests, and ends with it. */
let started: Promise<Browser> | undefined;

async function startedBrowser(): Promise<Browser> {
  const isThere = (await started)?.isConnected() ?? false;
  if (!isThere)
    started = chromium.launch({ executablePath: CHROMIUM, headless: true, chromiumSandbox: false, args: FLAGS });
  return started!;
}

/** A browser with an empty profile: what it keeps is seen by no other, and is gone when it is closed. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<OpenBrowser> {
  // The animation of a running call would take a quarter of a processor.
  const context = await (await startedBrowser()).newContext({ reducedMotion: 'reduce', ...options });
  // Beside builds of other tests a call may take long.
  context.setDefaultTimeout(3 * WAIT_MS);
  return { context, close: () => context.close() };
}
