// The tabs of the config menu that the server draws: it returns their content as markup, and a click on an element with `data-do`
// sends its value back. The server checks who may do what.

import { element, t, words } from './elements.js';

const base = new URL('.', import.meta.url);
const { lang } = document.documentElement;
// English pages use the date format of the browser's region.
const formats = navigator.language.startsWith(lang) || lang === 'zz-pirate' ? undefined : lang;

/** The content of a tab, after an action if there is one. */
async function content(name, action) {
  const options = action && { method: 'POST', headers: { 'content-type': 'application/json' }, body: action };
  const answer = await fetch(new URL(`manage/${name}`, base), options).catch(() => {
    throw new Error(t('The server cannot be reached. Try again in a moment.'));
  });
  const text = await answer.text();
  if (answer.ok) return new DOMParser().parseFromString(text, 'text/html').body.children;
  if (answer.status === 401) throw new Error(t('Your sign-in has ended. Sign in again, then open this menu once more.'));
  let message;
  try {
    ({ message } = JSON.parse(text));
  } catch {
    // A proxy in front of the server has responded.
  }
  throw new Error(message ?? t('The server failed; its log says why.'));
}

/** Sorts a table by a column; numbers begin with the largest. */
function sort(button) {
  const heading = button.closest('th');
  const column = [...heading.parentElement.children].indexOf(heading);
  const rows = [...heading.closest('table').tBodies[0].rows];
  const value = (row) => row.cells[column].dataset.value;
  const isNumber = rows.every((row) => value(row) !== undefined);
  const before = heading.ariaSort;
  const isRising = before === 'none' ? !isNumber : before === 'descending';
  const order = (one, other) => (isNumber ? value(one) - value(other) : one.cells[column].textContent.localeCompare(other.cells[column].textContent, lang));
  for (const other of heading.parentElement.children) other.ariaSort = 'none';
  heading.ariaSort = isRising ? 'ascending' : 'descending';
  heading.closest('table').tBodies[0].append(...rows.sort((one, other) => (isRising ? order(one, other) : order(other, one))));
}

/** A tab that the server draws. */
export function managedTab(name) {
  let isFollowed = false;
  const show = async (panel, action) => {
    try {
      panel.replaceChildren(...(await content(name, action)));
    } catch (error) {
      panel.replaceChildren(element('p', { className: 'tools-problem', role: 'alert' }, ...words(error.message)));
    }
    for (const time of panel.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString(formats);
  };
  return async (panel) => {
    if (!isFollowed) {
      isFollowed = true;
      panel.addEventListener('submit', (event) => {
        event.preventDefault();
        const form = event.target;
        show(panel, JSON.stringify({ [form.dataset.form]: Object.fromEntries(new FormData(form)) }));
      });
      panel.addEventListener('click', async ({ target }) => {
        const button = target.closest('button');
        if (button?.dataset.sort !== undefined) return sort(button);
        const action = button?.dataset.do;
        if (!action) return;
        button.disabled = true;
        await show(panel, action);
        // The button is a new one.
        (panel.querySelector(`[data-do="${CSS.escape(action)}"]`) ?? panel).focus();
      });
    }
    await show(panel);
  };
}
