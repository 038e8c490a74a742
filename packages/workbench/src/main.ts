import './style/tokens.css';
import './style/base.css';
import './style/layout.css';
import './style/views.css';
import './style/form.css';
import './style/result.css';
import { connect } from './state/connection.js';
import './state/lists.js';
import { takeToken } from './state/token.js';

// The first requests are sent before the components are compiled.
takeToken();
void connect();
import('./view/start.js').catch(() => {
  document.querySelector('.boot')!.textContent = 'The page could not be loaded. Reload it when the server is back.';
});
