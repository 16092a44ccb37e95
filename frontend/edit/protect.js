// "Protect this dashboard": a name and a password make the first account, an admin, and sign it in. Loaded at the first click.

import { button, dialog, element } from './elements.js'
import { call, messageOf } from './server.js'
import { t } from '../texts.js'

/** Minimum length of the password, as on the server (`server/src/routes/editing/protecting.rs`). */
const MIN_PASSWORD = 8

/** @param {string} base Path prefix of the product. */
export default function protect(base) {
  const name = element('input', { type: 'text', name: 'user', autocomplete: 'username', spellcheck: false, required: true })
  const password = element('input', { type: 'password', name: 'password', autocomplete: 'new-password', required: true, minLength: MIN_PASSWORD })
  const seen = button(t('Show'), () => {
    password.type = password.type === 'password' ? 'text' : 'password'
    seen.setAttribute('aria-pressed', String(password.type === 'text'))
  })
  seen.setAttribute('aria-label', t('Show the password'))
  seen.setAttribute('aria-pressed', 'false')
  const status = element('p', { className: 'edit-problem', role: 'alert' })
  const submit = element('button', { type: 'submit', className: 'button primary' }, t('Protect'))
  const form = element('form', { noValidate: true, onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault()
    void send()
  } }, element('div', { className: 'edit-scroll' },
    element('p', {}, t('Right now, anyone on the network can change this dashboard. Once you create an account, everyone has to sign in. This account is an admin, and you stay signed in.')),
    element('label', { className: 'field' }, element('span', {}, `${t('Name')} *`), name),
    element('div', { className: 'edit-helped' }, element('label', { className: 'field' }, element('span', {}, `${t('Password')} *`), password), seen),
    element('p', { className: 'edit-about' }, t('At least {count} characters. The file keeps only its hash.', { count: MIN_PASSWORD }))),
  status, element('div', { className: 'edit-buttons' }, button(t('Cancel'), () => end()), submit))
  const { end } = dialog(t('Protect this dashboard'), 'edit-question', () => end(), form)
  name.focus()

  /** @param {HTMLInputElement} field @param {string} text */
  function wrong(field, text) {
    for (const one of [name, password]) one.ariaInvalid = String(one === field)
    status.textContent = text
    field.focus()
  }

  async function send() {
    if (!name.value.trim()) return wrong(name, t('Enter a name for the account.'))
    if ([...password.value].length < MIN_PASSWORD) return wrong(password, t('The password needs at least {count} characters.', { count: MIN_PASSWORD }))
    submit.disabled = true
    status.textContent = ''
    try {
      await call(base, 'editor-protect', { name: name.value, password: password.value })
      // The page is closed from now on, and this browser signs in as its login page would.
      const fields = new URLSearchParams({ user: name.value.trim(), password: password.value, remember: '1w' })
      await fetch(`${base}/login`, { method: 'POST', body: fields })
      location.reload()
    } catch (error) {
      submit.disabled = false
      status.textContent = messageOf(error)
    }
  }
}
