import type { Action } from '../../actions/action.js';
import type { ParameterName } from '../../actions/parameters.js';
import { ANALYSIS_QUERY, analyzeProject, dependenciesOf } from '../../analysis/analyze.js';
import { type LoadedProject, loadProject } from '../../analysis/load-project.js';
import { VALIDATION_QUERY, validateProject } from '../../analysis/validate.js';
import type { EvaluationQuery } from '../../msbuild/evaluate.js';
import { withRestoreSuggestion } from '../shared/suggest-restore.js';
import { GLOBALS, globalsOf, projectFile } from './project-file.js';

/** Creates an action whose data comes from the evaluation of a project. Its text is the data as JSON. */
function question(
  query: EvaluationQuery,
  answer: (project: LoadedProject) => { readonly restored: boolean },
  globals: readonly ParameterName[] = [],
): Action {
  return {
    finds: 'project',
    optional: ['projectPath', ...globals],
    isReadOnly: true,
    execute: async (call) => {
      const source = call.services.projects(call);
      const loaded = await loadProject(source, projectFile(call), query, globalsOf(call.args));
      const data = withRestoreSuggestion(answer(loaded), call.args, call.args.project!);
      return { data, text: JSON.stringify(data, null, 2), isTextOnly: true };
    },
  };
}

export const analysisActions: Record<string, Action> = {
  Analyze: question(ANALYSIS_QUERY, analyzeProject, GLOBALS),
  Dependencies: question({ properties: [], itemTypes: [] }, dependenciesOf),
  Validate: question(VALIDATION_QUERY, validateProject),
};
