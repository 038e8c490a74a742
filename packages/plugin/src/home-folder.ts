import { homedir, userInfo } from 'node:os';

/** The home folder of the user. An empty HOME counts as unset. '' if there is no home folder. */
export function homeFolder(): string {
  try {
    return homedir() || userInfo().homedir;
  } catch {
    return '';
  }
}
