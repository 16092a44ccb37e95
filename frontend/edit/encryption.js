// Encrypts the text of a config with a password, and decrypts it: AES-256-GCM with a key that PBKDF2 derives from the password.
//
// An encrypted file is JSON: `format`, `version`, `file`, `iterations`, `salt`, `iv` and `data`, the last three in Base64. All
// fields are authenticated, so nobody can make the password cheaper to guess or pass the file off as another one.

import { t } from '../texts.js'

const FORMAT = 'portico-config'
const VERSION = 1
/** The least that OWASP recommends for PBKDF2 with SHA-256 is 600,000. */
const ITERATIONS = 600_000
/** More would keep a browser busy for minutes. */
const MAX_ITERATIONS = 10_000_000

/** @typedef {{ format: string, version: number, file: string, iterations: number, salt: string, iv: string }} Header */

/** @param {Uint8Array} bytes */
const encode = (bytes) => {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** @param {string} text */
const decode = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

function subtle() {
  // Browsers offer it only to pages that come over HTTPS or from this machine.
  if (!globalThis.crypto?.subtle) throw new Error(t('Browsers encrypt only on pages that come over HTTPS. Open the dashboard with an https:// address.'))
  return crypto.subtle
}

/** The key material of a password. @param {string} password @param {'deriveKey' | 'deriveBits'} use */
function material(password, use) {
  // The same letters may be encoded differently on another keyboard.
  const typed = new TextEncoder().encode(password.normalize('NFKC'))
  return subtle().importKey('raw', typed, 'PBKDF2', false, [use])
}

/** @param {string} password @param {Header} header @param {'encrypt' | 'decrypt'} use */
async function key(password, { iterations, salt }, use) {
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt: decode(salt), iterations }
  return subtle().deriveKey(derivation, await material(password, 'deriveKey'), { name: 'AES-GCM', length: 256 }, false, [use])
}

/** @param {Header} header */
function cipher({ format, version, file, iterations, salt, iv }) {
  const additionalData = new TextEncoder().encode(JSON.stringify([format, version, file, iterations, salt, iv]))
  return { name: 'AES-GCM', iv: decode(iv), additionalData }
}

/**
 * Encrypts the text of a config file.
 *
 * @param {string} file Name of the config file. @param {string} text @param {string} password
 * @returns {Promise<string>} The text of the encrypted file.
 */
export async function encrypt(file, text, password) {
  subtle()
  const random = (/** @type {number} */ length) => encode(crypto.getRandomValues(new Uint8Array(length)))
  /** @type {Header} */
  const header = { format: FORMAT, version: VERSION, file, iterations: ITERATIONS, salt: random(16), iv: random(12) }
  const data = await subtle().encrypt(cipher(header), await key(password, header, 'encrypt'), new TextEncoder().encode(text))
  return JSON.stringify({ ...header, data: encode(new Uint8Array(data)) }, null, 2) + '\n'
}

/**
 * The content of an encrypted file, if the text is that of one.
 *
 * @param {string} text
 * @returns {Header & { data: string } | undefined}
 */
export function parse(text) {
  if (!text.trimStart().startsWith('{')) return
  try {
    const content = JSON.parse(text)
    return content?.format === FORMAT ? content : undefined
  } catch {
    return undefined
  }
}

/**
 * The text of the config in an encrypted file.
 *
 * @param {Header & { data: string }} content What {@link parse} gave. @param {string} password
 * @returns {Promise<string>}
 * @throws With a message for the person, if the password is wrong, or the file is damaged or too new.
 */
export async function decrypt(content, password) {
  const { version, iterations, data } = content
  if (version !== VERSION) throw new Error(t('This file has version {version} of the format, and this Portico reads version {known}. Restore it with the Portico that wrote it, or a newer one.', { version, known: VERSION }))
  const fits = Number.isInteger(iterations) && iterations >= ITERATIONS && iterations <= MAX_ITERATIONS
  if (!fits || ![content.file, content.salt, content.iv, data].every((part) => typeof part === 'string')) throw new Error(t('This file is damaged. Take another copy of it.'))
  subtle()
  try {
    const bytes = await subtle().decrypt(cipher(content), await key(password, content, 'decrypt'), decode(data))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error(t('The password is wrong, or the file is damaged.'))
  }
}

/**
 * Proves to a backup service that somebody knows the password. It is always the same for a password, and does not help to decrypt a copy.
 *
 * @param {string} password
 * @returns {Promise<string>} 256 bits as hexadecimal digits.
 */
export async function proof(password) {
  const salt = new TextEncoder().encode('portico: proof of a password')
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS }
  const bits = await subtle().deriveBits(derivation, await material(password, 'deriveBits'), 256)
  return [...new Uint8Array(bits)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
