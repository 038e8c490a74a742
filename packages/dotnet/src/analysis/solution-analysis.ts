import { reportSolution, type SolutionReport, type SolutionSource } from './solution-report.js';
import { describeAnalysis, describeDependencies, describeValidation } from './solution-text.js';

/** The answer of an action about all projects of a solution: the same data, the lines that the action is asked for. */
export interface SolutionAnswer {
  readonly data: SolutionReport;
  readonly text: string[];
}

type Ask = (source: SolutionSource, solution: string) => Promise<SolutionAnswer>;

const asking =
  (describe: (report: SolutionReport) => string[]): Ask =>
  async (source, solution) => {
    const data = await reportSolution(source, solution);
    return { data, text: [...describe(data), ...(data.note === undefined ? [] : ['', `Note: ${data.note}`])] };
  };

/** Every project with its frameworks and counts. Throws as {@link reportSolution}. */
export const analyzeSolution: Ask = asking(describeAnalysis);

/** Which project references which, and the packages that several use. Throws as {@link reportSolution}. */
export const solutionDependencies: Ask = asking(describeDependencies);

/** What is wrong, doubtful or could be better. Throws as {@link reportSolution}. */
export const validateSolution: Ask = asking(describeValidation);
