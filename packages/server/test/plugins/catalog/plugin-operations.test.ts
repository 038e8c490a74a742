import { expect, test } from 'vitest';
import { PluginOperations } from '../../../src/plugins/catalog/plugin-operations.js';

const NOTHING = { added: [], changed: [], removed: [], failed: [] };

test.each([
  ['ok', undefined, NOTHING],
  ['PLUGIN_LOAD_FAILED', undefined, { ...NOTHING, failed: ['a'] }],
  ['SETTINGS_NOT_RELOADED', 'SETTINGS_NOT_RELOADED', NOTHING],
] as const)('a reload is %s in the audit', async (outcome, code, report) => {
  const lines: unknown[] = [];
  const operations = new PluginOperations({
    catalog: { reload: async () => ({ ...report, failed: [...report.failed] }), reviewAgain() {} } as never,
    pins: {} as never,
    audit: { record: (line) => lines.push(line) },
    settingsProblem: () =>
      code && {
        severity: 'error',
        code,
        message: 'wrong',
        hint: 'Correct it.',
        location: { file: 'appsettings.json' },
      },
    onReloaded() {},
  });
  await operations.reload();
  expect(lines).toEqual([{ event: 'reload', outcome, details: report }]);
});
