import './style/tokens.css';
import './style/base.css';
import './style/layout.css';
import './style/list.css';
import './style/views.css';
import './style/form.css';
import './style/result.css';
import './style/tests.css';
import './state/first-request.js';
import './state/first-frame.js';

import('./view/start.js').catch(() => {
  document.querySelector('.boot')!.textContent = 'The page could not be loaded. Reload it when the server is back.';
});
