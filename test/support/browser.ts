import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
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

/** A browser with an empty profile. */
export async function openBrowser(
  options: Parameters<typeof chromium.launchPersistentContext>[1] = {},
): Promise<OpenBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'mortise-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    chromiumSandbox: false,
    args: FLAGS,
    ...options,
  });
  // Beside builds of other tests a call may take long.
  context.setDefaultTimeout(3 * WAIT_MS);
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
