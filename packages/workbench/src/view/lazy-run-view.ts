import { loadChecks } from '../state/forms.js';
import { lazy } from './lazy.js';

/** What shows a call is loaded when there is a form to call from. */
export const RunView = lazy(async () => {
  const [view] = await Promise.all([import('./run-view.js'), loadChecks()]);
  return view.RunView;
});
