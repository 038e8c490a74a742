import { reportSolution, type SolutionReport, type SolutionSource } from './solution-report.js';
import { describeAnalysis, describeDependencies, describeValidation } from './solution-text.js';

/** The answer of an action about all projects of a solution: its data, and the lines that the action is asked for. */
export interface SolutionAnswer {
  /** Dependencies has no issues and no next action: Analyze and Validate have them. */
  readonly data: Omit<SolutionReport, 'issues'> & Partial<Pick<SolutionReport, 'issues'>>;
  readonly text: string[];
}

type Ask = (source: SolutionSource, solution: string) => Promise<SolutionAnswer>;

const asking =
  (describe: (report: SolutionReport, folder: string) => string[]): Ask =>
  async (source, solution) => {
    const data = await reportSolution(source, solution);
    return {
      data,
      text: [...describe(data, source.cwd), ...(data.note === undefined ? [] : ['', `Note: ${data.note}`])],
    };
  };

/** Every project with its frameworks, packages and references. Throws as {@link reportSolution}. */
export const analyzeSolution: Ask = asking(describeAnalysis);

/** Says which project references which, and which packages they use. Throws as {@link reportSolution}. */
export const solutionDependencies: Ask = async (source, solution) => {
  const { data, text } = await asking(describeDependencies)(source, solution);
  const { issues: _, recommendedAction: __, ...dependencies } = data;
  return { data: dependencies, text };
};

/** What is wrong, doubtful or could be better. Throws as {@link reportSolution}. */
export const validateSolution: Ask = asking(describeValidation);
