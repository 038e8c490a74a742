import { expect, it } from 'vitest';
import { describeValidation } from '../../src/analysis/solution-analysis.js';
import type { SolutionReport } from '../../src/analysis/solution-report.js';

it('an issue of all projects counts them, and one of a few names them', () => {
  const names = ['A', 'B', 'C', 'D'];
  const issue = (projects: string[], message: string) => ({ severity: 'recommendation' as const, projects, message });
  const report: SolutionReport = {
    ...{ success: true, solution: '/s/S.slnx', references: [], sharedPackages: [], packageCount: 0, isValid: true },
    projects: names.map((name) => ({
      ...{ name, path: `/s/${name}/${name}.csproj`, targetFrameworks: ['net10.0'] },
      ...{ packageCount: 0, projectReferenceCount: 0, restored: false },
    })),
    issues: [issue(names, 'The project is not restored.'), issue(['A', 'B'], 'Set Nullable.')],
  };
  const text = describeValidation(report);
  expect(text).toContain('  All 4 projects: The project is not restored.');
  expect(text).toContain('  A, B: Set Nullable.');
});
