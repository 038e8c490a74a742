import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Ends a run with the names of the tests that passed only when they were tried again. */
export default class RetriedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap((module) => [...module.children.allTests('passed')].filter(isRetried));
    if (retried.length === 0) return;
    console.log(`\n${retried.length} passed only when tried again:`);
    for (const test of retried) console.log(`  ${test.module.relativeModuleId} > ${test.fullName}`);
  }
}

const isRetried = (test: TestCase): boolean => (test.diagnostic()?.retryCount ?? 0) > 0;
