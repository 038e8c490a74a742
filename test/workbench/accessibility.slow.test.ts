import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { ROOT } from '../support/workplace.js';
import { axeFindings, expect, openPage, result, run } from './page.js';

/** What goes beyond the panel that it is in, as text and boxes. What scrolls, or ends with an ellipsis, is left out. */
const WIDER_THAN_PANEL = `(() => {
  const isCut = (element) => getComputedStyle(element).overflowX !== 'visible' || element.matches('.visually-hidden');
  const range = document.createRange();
  const textEnd = (node) => {
    range.selectNode(node);
    return node.nodeType === Node.TEXT_NODE ? range.getBoundingClientRect().right : 0;
  };
  const isWider = (element, end) => {
    const texts = isCut(element) ? [] : [...element.childNodes].map(textEnd);
    // The text of a quiet button begins or ends where the others do, and its box later.
    const boxEnd = element.matches('.quiet') ? 0 : element.getBoundingClientRect().right;
    return element.checkVisibility() && Math.max(boxEnd, ...texts) > end + 1;
  };
  const found = [];
  const visit = (element, end, label) => {
    if (isWider(element, end)) found.push(label + ': ' + element.tagName + ' ' + element.className);
    if (!isCut(element)) for (const child of element.children) visit(child, end, label);
  };
  for (const panel of document.querySelectorAll('main .panel, main .detail > *, main .page > *')) {
    const end = panel.getBoundingClientRect().right;
    for (const child of panel.children) visit(child, end, panel.className);
  }
  return found;
})()`;
const HEIGHT = 900;
const VIEWS = ['', 'tools', 'tools/no_such_tool', 'resources', 'prompts', 'plugins', 'sessions', 'history', 'connect'];
const WAYS = ['light', 'dark'].flatMap((scheme) => [360, 1440].map((width) => ({ scheme, width })));

describe.skipIf(noBrowser)('the colours that a person chooses', () => {
  const open = shared((finished) => openPage(finished));

  test.each([
    ['dark', 'light'],
    ['light', 'dark'],
  ] as const)('%s in a system that is %s: also before any script has come', async (choice, system) => {
    const { page } = open();
    const colour = () => page.evaluate('getComputedStyle(document.body).color');
    await page.emulateMedia({ colorScheme: choice });
    await page.getByRole('combobox', { name: 'Colours' }).selectOption('system');
    const chosen = await colour();
    await page.emulateMedia({ colorScheme: system });
    expect(await colour()).not.toBe(chosen);
    await page.getByRole('combobox', { name: 'Colours' }).selectOption(choice);
    await page.route('**/*.js', (route) => route.abort());
    await page.reload();
    expect(await colour()).toBe(chosen);
    await page.unroute('**/*.js');
    await page.reload();
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(await colour()).toBe(chosen);
    expect(await page.getByRole('combobox', { name: 'Colours' }).inputValue()).toBe(choice);
  });
});

describe.skipIf(noBrowser)('the page for everyone', () => {
  // The .NET tools have the view of sessions; a plugin that cannot be loaded has problems to show.
  const open = shared((finished) =>
    openPage(finished, { Dotnet: { Enabled: true } }, ({ write }) => {
      write('plugins/broken.mjs', 'export function register(');
      write('plugins/long.mjs', readFileSync(join(ROOT, 'test/workbench/long-names.mjs'), 'utf8'));
    }),
  );

  test.each(WAYS)('has no serious finding of axe: $scheme, $width pixels', async ({ scheme, width }) => {
    const { page, origin } = open();
    await page.setViewportSize({ width, height: HEIGHT });
    await page.getByRole('combobox', { name: 'Colours' }).selectOption(scheme);
    const check = async (what: string) => {
      expect(await axeFindings(page), what).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), what).toBeLessThanOrEqual(width);
      // The parts of the page scroll, not the page: its header stays.
      expect(await page.evaluate('document.documentElement.scrollHeight'), what).toBeLessThanOrEqual(HEIGHT);
      expect(await page.evaluate(WIDER_THAN_PANEL), what).toEqual([]);
    };
    for (const view of VIEWS) {
      await page.goto(`${origin}/#/${view}`);
      await page.locator('main h1:visible, main .tool-row:visible, main .notice:visible').first().waitFor();
      await check(view);
    }
    // Their colours and their places are each seen once.
    if ((scheme === 'light') !== width > 1_000) return;
    const openByName = async (name: string) => {
      await page.goto(`${origin}/#/tools/${name}`);
      await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    };
    await openByName('shapes_echo');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Add owner' }).click();
    await run(page);
    await check('a form with problems');
    await openByName('long_names');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Add rows' }).click();
    await check('a form with long names');
    await openByName('dotnet_project');
    await page.getByRole('combobox', { name: /^action/ }).selectOption('Build');
    await check('a form with the parameters of an action');
    await openByName('shapes_ask');
    await page.getByRole('textbox', { name: /^topic/ }).fill('lunch');
    await run(page);
    await page.getByRole('form', { name: 'Question of the tool' }).waitFor();
    await check('a question');
    await page.getByRole('button', { name: 'Decline' }).click();
    await result(page);
    for (const name of [
      'shapes_broken',
      'results_locked',
      'results_tests',
      'results_media',
      'results_log',
      'long_names',
    ]) {
      await openByName(name);
      await run(page);
      const region = await result(page, /broken|locked/.test(name) ? 'Error' : 'Done');
      for (const tab of await region.getByRole('tab').all()) {
        await tab.click();
        await check(`${name}: ${await tab.textContent()}`);
      }
    }
    await page.goto(`${origin}/#/history`);
    await page.getByRole('heading', { name: 'Recent' }).waitFor();
    await check('history with calls');
    await page.goto(`${origin}/#/resources/${encodeURIComponent('weather://stations/Tokyo')}`);
    await page.getByText(/^Read at/).waitFor();
    await check('a resource');
    await page.goto(`${origin}/#/prompts`);
    await page.getByRole('link', { name: /^Packing list/ }).click();
    await page.getByRole('button', { name: 'Get the messages' }).waitFor();
    await check('a prompt');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keys' }).click();
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await check('the keys');
    await page.keyboard.press('Escape');
  });

  test('begins with the start view on a narrow screen, and leads from there to the list and back', async () => {
    const { page, origin } = open();
    await page.setViewportSize({ width: 375, height: HEIGHT });
    await page.goto(`${origin}/#/`);
    await page.getByRole('region', { name: 'Plugins that do not load' }).getByText('broken', { exact: true }).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search the tools' });
    expect(await search.isVisible()).toBe(false);
    await page.getByRole('link', { name: 'All tools' }).click();
    await search.waitFor();
    await page.getByRole('link', { name: '← Start' }).click();
    await page.getByRole('heading', { name: 'This server' }).waitFor();
    await page.keyboard.press('/');
    await search.and(page.locator(':focus')).waitFor();
    await page.goto(`${origin}/#/tools/no_such_tool`);
    await page.getByRole('link', { name: '← All tools' }).click();
    await search.waitFor();
  });
});
