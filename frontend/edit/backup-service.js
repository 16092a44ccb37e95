// The protocol of Dashy's cloud backups, towards an endpoint of one's own (docs/spec/behaviour.md 17). One address: `POST`
// stores and gives an id, `PUT` replaces, `GET` gives back, `DELETE` removes.
//
// The endpoint gets an encrypted copy (./encryption.js) and a proof that whoever asks knows the password. Neither tells it the
// password: the proof is as slow to guess as the key of the copy, and made with another salt.

import { proof } from './encryption.js'

/** As Dashy writes ids. */
const ID = /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/i

/**
 * Asks the endpoint, and gives what it answers.
 *
 * @param {string} endpoint @param {string} method @param {Record<string, string>} values
 * @returns {Promise<Record<string, any>>}
 * @throws In words for the person.
 */
async function ask(endpoint, method, values) {
  const url = new URL(endpoint)
  const hasBody = method === 'POST' || method === 'PUT'
  if (!hasBody) for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
  /** @type {Response} */
  let response
  try {
    response = await fetch(url, {
      method,
      ...hasBody ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(values) } : {},
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
  } catch {
    throw new Error(`\`${url.host}\` cannot be reached. It has to answer, and to allow this page in \`Access-Control-Allow-Origin\`.`)
  }
  const answer = await response.json().catch(() => ({}))
  const said = typeof answer?.errorMsg === 'string' && answer.errorMsg || typeof answer?.message === 'string' && !response.ok && answer.message
  if (said) throw new Error(`\`${url.host}\` says: ${said}`)
  if (!response.ok) throw new Error(`\`${url.host}\` answers ${response.status}. Check the id and the password.`)
  return answer ?? {}
}

/** @param {string} id */
function checked(id) {
  const trimmed = id.trim()
  if (!ID.test(trimmed)) throw new Error('An id has the form `xxxx-xxxx-xxxx-xxxx`.')
  return trimmed
}

/**
 * Stores an encrypted copy; with an id, in place of that one. Gives its id.
 *
 * @param {string} endpoint @param {string} copy @param {string} password @param {string} id Empty for a new one.
 */
export async function store(endpoint, copy, password, id) {
  const subHash = await proof(password)
  if (id.trim()) {
    const backupId = checked(id)
    await ask(endpoint, 'PUT', { userData: copy, subHash, backupId })
    return backupId
  }
  const { backupId } = await ask(endpoint, 'POST', { userData: copy, subHash })
  if (typeof backupId !== 'string' || !ID.test(backupId)) throw new Error('The endpoint gives no id for the copy, so it could not be found again. Check that it speaks the protocol of Dashy’s backups.')
  return backupId
}

/**
 * The encrypted copy of an id.
 *
 * @param {string} endpoint @param {string} password @param {string} id
 * @returns {Promise<string>}
 */
export async function load(endpoint, password, id) {
  const backupId = checked(id)
  const { userData } = await ask(endpoint, 'GET', { backupId, subHash: await proof(password) })
  // Dashy's own service gives the whole record.
  const copy = userData?.userData ?? userData
  if (typeof copy !== 'string' || !copy) throw new Error('The endpoint has no copy with this id and password.')
  return copy
}

/** Removes a copy. @param {string} endpoint @param {string} password @param {string} id */
export async function remove(endpoint, password, id) {
  const backupId = checked(id)
  await ask(endpoint, 'DELETE', { backupId, subHash: await proof(password) })
}
