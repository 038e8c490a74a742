import { ANALYSIS_QUERY, analyzeProject } from '../../projects/analyze.js';
import { dependenciesOf } from '../../projects/dependencies.js';
import type { EvaluationQuery } from '../../projects/evaluate.js';
import { type LoadedProject, loadProject } from '../../projects/load-project.js';
import { VALIDATION_QUERY, validateProject } from '../../projects/validate.js';
import type { Action } from '../../tool/action.js';
import type { ParameterName } from '../../tool/parameters.js';
import { withRestoreOffer } from '../offer-restore.js';
import { GLOBALS, globalsOf, projectFile } from './project-file.js';

/** A question that MSBuild's evaluation of one project answers; the text is the same JSON. */
function question(
  query: EvaluationQuery,
  answer: (project: LoadedProject) => { readonly restored: boolean },
  globals: readonly ParameterName[] = [],
): Action {
  return {
    finds: 'project',
    takes: ['projectPath', ...globals],
    run: async (call) => {
      const source = call.services.projects(call);
      const loaded = await loadProject(source, projectFile(call), query, globalsOf(call.args));
      const data = withRestoreOffer(answer(loaded), call.args, call.args.project!);
      return { data, text: JSON.stringify(data, null, 2), isBareText: true };
    },
  };
}

export const analysisActions: Record<string, Action> = {
  Analyze: question(ANALYSIS_QUERY, analyzeProject, GLOBALS),
  Dependencies: question({ properties: [], itemTypes: [] }, dependenciesOf),
  Validate: question(VALIDATION_QUERY, validateProject),
};
