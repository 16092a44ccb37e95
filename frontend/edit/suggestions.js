// What fits the title of an item: icons by its name, and the address at which such a service usually responds. Loaded when a title
// is typed.

import { button, element, fill, picture } from './elements.js'
import { call } from './server.js'
import { t } from '../texts.js'

/** How long typing has to pause before the server is asked, in milliseconds. */
const DEBOUNCE = 200
/** How many icons are offered. */
const MAX_ICONS = 3
/** The ports of services that people run themselves, by what is left of their names without spaces and signs. @type {Record<string, number>} */
const PORTS = {
  adguardhome: 3000, audiobookshelf: 13378, bazarr: 6767, bitwarden: 8080, bookstack: 6875, calibreweb: 8083, changedetection: 5000, cockpit: 9090, deluge: 8112,
  dozzle: 8080, duplicati: 8200, emby: 8096, filebrowser: 8080, forgejo: 3000, freshrss: 8080, frigate: 5000, gitea: 3000, glances: 61208, gotify: 8080, grafana: 3000,
  healthchecks: 8000, homeassistant: 8123, immich: 2283, influxdb: 8086, jackett: 9117, jellyfin: 8096, jellyseerr: 5055, kavita: 5000, komga: 25600, lidarr: 8686,
  linkding: 9090, mealie: 9925, memos: 5230, miniflux: 8080, minio: 9001, n8n: 5678, navidrome: 4533, netdata: 19999, nextcloud: 443, nginxproxymanager: 81, nodered: 1880,
  ntfy: 80, octoprint: 5000, opnsense: 443, overseerr: 5055, paperlessngx: 8000, photoprism: 2342, pihole: 80, plex: 32400, portainer: 9443, prometheus: 9090, prowlarr: 9696,
  proxmox: 8006, qbittorrent: 8080, radarr: 7878, readarr: 8787, sabnzbd: 8080, scrutiny: 8080, sonarr: 8989, stirlingpdf: 8080, syncthing: 8384, tautulli: 8181,
  traefik: 8080, transmission: 9091, truenas: 443, unifi: 8443, uptimekuma: 3001, vaultwarden: 8080, wallabag: 80, zigbee2mqtt: 8080,
}
/** Those that speak HTTPS. */
const SECURE = new Set([443, 8006, 8443, 9443])

/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause
let turn = 0

/** @param {string} title */
export function usualAddress(title, host = location.hostname) {
  const name = title.toLowerCase().replace(/[^a-z0-9]/g, '')
  const port = PORTS[name]
  if (!port) return undefined
  const scheme = SECURE.has(port) ? 'https' : 'http'
  return `${scheme}://${host}${port === 80 || port === 443 ? '' : `:${port}`}${port === 32400 ? '/web' : ''}`
}

/** @param {HTMLInputElement} title The field that is being typed into. @param {string} base Path prefix of the product. */
export default function suggest(title, base) {
  clearTimeout(pause)
  pause = setTimeout(() => void show(title, base), DEBOUNCE)
}

/** @param {HTMLInputElement} title @param {string} base */
async function show(title, base) {
  const place = title.closest('.edit-field')?.querySelector('.edit-suggestions')
  const form = title.closest('form')
  const icon = /** @type {HTMLInputElement | null | undefined} */ (form?.querySelector('#edit-icon'))
  const address = /** @type {HTMLInputElement | null | undefined} */ (form?.querySelector('#edit-url'))
  const mine = ++turn
  const text = title.value.trim()
  if (!place) return
  /** @type {{ value: string, name: string, picture?: string }[]} */
  let icons = []
  if (text.length > 1 && icon && !icon.value) {
    const found = await Promise.all(['applications', 'brands'].map((group) => call(base, 'editor-icons', { words: text, group, skip: 0 }).catch(() => ({ icons: [] }))))
    icons = found.flatMap(({ icons }) => icons.slice(0, MAX_ICONS - 1)).slice(0, MAX_ICONS)
  }
  if (mine !== turn || !place.isConnected) return
  const chips = icons.map(({ value, name, picture: drawn }) => chip(icon, value, t('Icon {name}', { name: value }), ...(drawn ? [picture(drawn)] : []), name))
  const usual = address && !address.value ? usualAddress(text) : undefined
  if (usual) chips.push(chip(address, usual, t('Address {address}', { address: usual }), usual))
  place.replaceChildren(...chips)
}

/** A button that fills in a field. Its neighbors for the same field go with it. @param {HTMLInputElement | null | undefined} field @param {string} value @param {string} label @param {...(Node | string)} content */
function chip(field, value, label, ...content) {
  const made = button('', () => {
    if (!field) return
    fill(field, value)
    const place = made.parentElement
    for (const other of place?.querySelectorAll(`[data-for="${field.id}"]`) ?? []) other.remove()
    const next = /** @type {HTMLElement | null | undefined} */ (place?.querySelector('button'))
    if (next) next.focus()
    else field.focus()
  }, 'edit-suggestion')
  made.dataset.for = field?.id ?? ''
  made.setAttribute('aria-label', label)
  made.append(...content.map((part) => typeof part === 'string' ? element('span', {}, part) : part))
  return made
}
