import { ANALYSIS_QUERY, analyzeProject } from '../../projects/analyze.js';
import { dependenciesOf } from '../../projects/dependencies.js';
import type { EvaluationQuery } from '../../projects/evaluate.js';
import { type LoadedProject, loadProject } from '../../projects/load-project.js';
import { VALIDATION_QUERY, validateProject } from '../../projects/validate.js';
import type { Action } from '../../tool/action.js';
import { projectFile } from './properties.js';

/** A question that MSBuild's evaluation of one project answers. */
function question<T extends object>(
  query: EvaluationQuery,
  answer: (project: LoadedProject) => T,
  text: (data: T) => string[],
): Action {
  return {
    requires: ['projectPath'],
    run: async (call) => {
      const source = call.services.projects(call);
      const data = answer(await loadProject(source, projectFile(call, 'projectPath'), query));
      return { data, text: text(data).join('\n') };
    },
  };
}

export const analysisActions: Record<string, Action> = {
  Analyze: question(ANALYSIS_QUERY, analyzeProject, (data) => [JSON.stringify(data, null, 2)]),
  Dependencies: question({ properties: [], itemTypes: [] }, dependenciesOf, (data) => [JSON.stringify(data, null, 2)]),
  Validate: question(VALIDATION_QUERY, validateProject, (data) => [JSON.stringify(data, null, 2)]),
};
