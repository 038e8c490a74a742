import { describe, test } from 'vitest';
import { hasSdk } from '../../packages/dotnet/test/sdk.js';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { axeFindings, expect, openPage, openTool, run } from './page.js';

const PROJECT = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework></PropertyGroup>
</Project>`;
const TICKS = 'for (var n = 0; ; n++) { System.Console.WriteLine($"tick {n}"); System.Threading.Thread.Sleep(200); }';
const BUILD_MS = 110_000;

describe.skipIf(noBrowser || !hasSdk)('the .NET tools on the page', () => {
  const open = shared((finished) =>
    openPage(finished, { Dotnet: { Enabled: true } }, ({ write }) => {
      write('Broken/Broken.csproj', PROJECT);
      write('Broken/Program.cs', 'System.Console.WriteLine(missing);');
      write('Ticks/Ticks.csproj', PROJECT);
      write('Ticks/Program.cs', TICKS);
    }),
  );

  test('show a failed build as a table with file and line', async () => {
    const { page, workplace } = open();
    await openTool(page, '.NET Project');
    await page.getByRole('combobox', { name: /^action/ }).selectOption('Build');
    await page
      .getByRole('textbox', { name: /^project/ })
      .first()
      .fill(`${workplace.folder}/Broken/Broken.csproj`);
    await run(page);
    await page.getByRole('heading', { name: 'Error' }).waitFor({ timeout: BUILD_MS });
    const table = page.getByRole('region', { name: /^Diagnostics .*Broken\.csproj/ });
    await table.getByText('CS0103').waitFor();
    await table.getByText('Program.cs:1,26').waitFor();
    // The parts of the page scroll, not the page: its header stays.
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBeLessThanOrEqual(0);
  });

  test('run a program in the background, follow its log, and stop it', async () => {
    const { page, workplace } = open();
    await openTool(page, '.NET Project');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('combobox', { name: /^action/ }).selectOption('Run');
    await page
      .getByRole('textbox', { name: /^project/ })
      .first()
      .fill(`${workplace.folder}/Ticks/Ticks.csproj`);
    await page.getByRole('combobox', { name: /^startMode/ }).selectOption('Background');
    await run(page);
    await page.getByRole('heading', { name: 'Done' }).waitFor({ timeout: BUILD_MS });
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Sessions' }).click();
    const session = page.getByRole('article', { name: /^Session/ });
    await session.getByText('running').waitFor();
    await session.getByRole('button', { name: 'Show the log' }).click();
    const log = session.getByLabel(/^Log of/);
    await log.getByText(/tick 5\b/).waitFor({ timeout: BUILD_MS });
    const text = (await log.textContent()) ?? '';
    expect(text.match(/tick 1$/gm)).toHaveLength(1);
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await axeFindings(page), `${width} pixels`).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    await session.getByRole('button', { name: 'Stop' }).click();
    await session.getByText('stopped').waitFor();
  });

  test('report no error', () => expect(open().complaints).toEqual([]));
});
