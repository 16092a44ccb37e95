// Encrypted copies of the config, as files or at the user's own endpoint, and restoring them. Loaded when one of the dialogs is
// opened.

import { load, remove, store } from './backup-service.js'
import { button, dialog, element, download, words } from './elements.js'
import { decrypt, encrypt, parse } from './encryption.js'
import { t } from '../texts.js'

/** @typedef {any} Bundle The bundle of the editor. */
/** @typedef {any} Draft */

const MIN_PASSWORD_LENGTH = 8
/** The storage key for the id of the last copy, the same as Dashy's (docs/spec/behavior.md 16). */
const ID_KEY = 'backupId'

/** @param {string} label @param {Partial<HTMLInputElement>} properties */
function field(label, properties) {
  const input = element('input', properties)
  return { input, label: element('label', { className: 'field' }, element('span', {}, label), input) }
}

/**
 * A dialog with a form.
 *
 * @param {string} title @param {string} text @param {HTMLElement[]} fields @param {string} does The label of the button.
 * @param {() => Promise<boolean>} act Returns whether to close the dialog. Its errors are shown.
 */
function form(title, text, fields, does, act) {
  const alert = element('p', { className: 'edit-problem', role: 'alert' })
  const send = element('button', { type: 'submit', className: 'button primary' }, does)
  const all = element('form', { noValidate: true },
    element('div', { className: 'edit-scroll' }, element('p', {}, ...words(text)), ...fields), alert,
    element('div', { className: 'edit-buttons' }, button(t('Cancel'), () => end()), send))
  all.addEventListener('submit', async (event) => {
    event.preventDefault()
    alert.textContent = ''
    send.disabled = true
    try {
      if (await act()) end()
    } catch (error) {
      alert.replaceChildren(...words(error instanceof Error ? error.message : String(error)))
    }
    send.disabled = false
  })
  const { end } = dialog(title, 'edit-question edit-backup', () => end(), all)
}

/** @param {string} password */
function checkLength(password) {
  if (password.length < MIN_PASSWORD_LENGTH) throw new Error(t('Choose a password of at least {count} characters.', { count: MIN_PASSWORD_LENGTH }))
}

/** Downloads the draft as an encrypted file. @param {Bundle} editor */
export function exportEncrypted(editor) {
  /** @type {Draft} */
  const { file, text } = JSON.parse(editor.draft_text())
  const password = field(t('Password'), { type: 'password', autocomplete: 'new-password', required: true })
  const again = field(t('Password once more'), { type: 'password', autocomplete: 'new-password', required: true })
  const about = t('The copy of `{file}` holds all keys that are in it, encrypted with this password. Nobody can open it without, and nobody can give you another one.', { file })
  form(t('Encrypted copy'), about, [password.label, again.label], t('Download'), async () => {
    checkLength(password.input.value)
    if (password.input.value !== again.input.value) throw new Error(t('The two passwords differ. Type them again.'))
    download(`${file.replace(/\.ya?ml$/, '')}.portico.json`, await encrypt(file, text, password.input.value), 'application/json')
    return true
  })
}

/** Replaces the draft with a file, encrypted or not. @param {Bundle} editor */
export function restoreFile(editor) {
  const { input, label } = field(t('File'), { type: 'file', accept: '.json,.yml,.yaml', required: true })
  const password = field(t('Password'), { type: 'password', autocomplete: 'current-password' })
  password.label.hidden = true
  input.addEventListener('change', async () => {
    const [file] = input.files ?? []
    password.label.hidden = !file || !parse(await file.text())
    if (!password.label.hidden) password.input.focus()
  })
  const about = t('An encrypted copy, a downloaded backup or any config file. It becomes your draft; nothing is written before you save.')
  form(t('Restore from a file'), about, [label, password.label], t('Use as draft'), async () => {
    const [file] = input.files ?? []
    if (!file) throw new Error(t('Choose a file first.'))
    const read = await file.text()
    const encrypted = parse(read)
    const text = encrypted ? await decrypt(encrypted, password.input.value) : read
    const refusal = editor.take_text(text, t('Restore {name}', { name: file.name }))
    if (refusal) throw new Error(t('`{name}` cannot be used: {reason}', { name: file.name, reason: refusal }))
    return true
  })
}

/** Stores an encrypted copy of the draft at the endpoint in the config, or restores one. @param {Bundle} editor */
export function remoteBackup(editor) {
  /** @type {Draft} */
  const { file, text, backupEndpoint } = JSON.parse(editor.draft_text())
  const endpoint = backupEndpoint ?? ''
  const kept = () => {
    try {
      return localStorage.getItem(ID_KEY) ?? ''
    } catch {
      return ''
    }
  }
  const keep = (/** @type {string} */ id) => {
    try {
      if (id) localStorage.setItem(ID_KEY, id)
      else localStorage.removeItem(ID_KEY)
    } catch {
      // Without storage, the dialog still shows the id.
    }
  }
  const id = field(t('Id'), { type: 'text', value: kept(), spellcheck: false, autocomplete: 'off', placeholder: t('Empty for a new copy') })
  const password = field(t('Password'), { type: 'password', autocomplete: 'off', required: true })
  const alert = element('p', { className: 'edit-problem', role: 'alert' })
  const status = element('p', { role: 'status' })
  /** @param {() => Promise<string>} act Returns what was done. */
  async function attempt(act) {
    alert.textContent = ''
    status.textContent = t('One moment…')
    for (const one of ways) one.disabled = true
    try {
      checkLength(password.input.value)
      status.replaceChildren(...words(await act()))
    } catch (error) {
      status.textContent = ''
      alert.replaceChildren(...words(error instanceof Error ? error.message : String(error)))
    }
    for (const one of ways) one.disabled = false
  }
  let isSure = false
  const send = element('button', { type: 'submit', className: 'button primary' }, t('Back up'))
  const ways = [
    button(t('Delete the copy'), () => void attempt(async () => {
      if (!isSure) {
        isSure = true
        return t('Nothing brings it back. Press again to delete it.')
      }
      isSure = false
      await remove(endpoint, password.input.value, id.input.value)
      keep(id.input.value = '')
      return t('The copy is deleted.')
    }), 'danger'),
    button(t('Restore'), () => void attempt(async () => {
      const encrypted = parse(await load(endpoint, password.input.value, id.input.value))
      if (!encrypted) throw new Error(t('This copy was not made by Portico, which cannot open it.'))
      const refusal = editor.take_text(await decrypt(encrypted, password.input.value), t('Restore the remote copy'))
      if (refusal) throw new Error(t('The copy cannot be used: {reason}', { reason: refusal }))
      keep(id.input.value.trim())
      end()
      return ''
    })),
    send,
  ]
  const about = t('Keeps a copy of `{file}` at `{host}`. This browser encrypts it with the password, and without the password nobody can open it.', { file, host: URL.canParse(endpoint) ? new URL(endpoint).host : endpoint })
  const all = element('form', { noValidate: true },
    element('div', { className: 'edit-scroll' }, element('p', {}, ...words(about)), id.label, password.label, element('div', {}, alert, status)),
    element('div', { className: 'edit-buttons' }, button(t('Close'), () => end()), ...ways))
  all.addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt(async () => {
      const copy = await encrypt(file, text, password.input.value)
      id.input.value = await store(endpoint, copy, password.input.value, id.input.value)
      keep(id.input.value)
      return t('The copy is kept under the id `{id}`. Write it down: with it and the password the copy comes back.', { id: id.input.value })
    })
  })
  const { end } = dialog(t('Remote copy'), 'edit-question edit-backup', () => end(), all)
}
