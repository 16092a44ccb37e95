// Dashboards of any size: the same number of items gives the same config, byte for byte.

const ITEMS_PER_SECTION = 12;

// A word that no other text contains, so that a search for it finds one tile.
export const NEEDLE = 'quokka';

// Name, icon and tags of typical self-hosted services.
const SERVICES = [
  ['Nextcloud', 'si-nextcloud', 'files cloud'], ['Jellyfin', 'si-jellyfin', 'media video'],
  ['Plex', 'si-plex', 'media video'], ['Grafana', 'si-grafana', 'monitoring charts'],
  ['Prometheus', 'si-prometheus', 'monitoring metrics'], ['Portainer', 'si-portainer', 'docker containers'],
  ['Gitea', 'si-gitea', 'git code'], ['GitLab', 'si-gitlab', 'git code ci'],
  ['Home Assistant', 'si-homeassistant', 'automation'], ['Node-RED', 'si-nodered', 'automation flows'],
  ['Pi-hole', 'si-pihole', 'dns ads'], ['AdGuard', 'si-adguard', 'dns ads'],
  ['Proxmox', 'si-proxmox', 'virtual machines'], ['TrueNAS', 'si-truenas', 'storage'],
  ['Synology', 'si-synology', 'storage nas'], ['pfSense', 'si-pfsense', 'firewall'],
  ['WireGuard', 'si-wireguard', 'vpn'], ['OpenVPN', 'si-openvpn', 'vpn'],
  ['Bitwarden', 'si-bitwarden', 'passwords'], ['Sonarr', 'si-sonarr', 'media series'],
  ['Radarr', 'si-radarr', 'media films'], ['Docker', 'si-docker', 'containers'],
  ['Kubernetes', 'si-kubernetes', 'cluster'], ['PostgreSQL', 'si-postgresql', 'database sql'],
  ['Redis', 'si-redis', 'database cache'], ['MariaDB', 'si-mariadb', 'database sql'],
  ['Elasticsearch', 'si-elasticsearch', 'logs search'], ['RabbitMQ', 'si-rabbitmq', 'queue'],
  ['MinIO', 'si-minio', 'objects'], ['Ghost', 'si-ghost', 'blog'],
  ['Router', 'mdi-router-wireless', 'network'], ['Switch', 'mdi-switch', 'network'],
  ['Printer', 'mdi-printer', 'paper'], ['Camera', 'mdi-cctv', 'security'],
  ['Thermostat', 'mdi-thermostat', 'climate'], ['Solar', 'mdi-solar-power', 'energy'],
  ['Car', 'mdi-car-electric', 'energy'], ['Lights', 'mdi-lightbulb-group', 'automation'],
  ['Vacuum', 'mdi-robot-vacuum', 'automation'], ['Weather', 'mdi-weather-partly-cloudy', 'climate'],
  ['Recipes', 'mdi-chef-hat', 'kitchen'], ['Backup', 'mdi-backup-restore', 'storage'],
  ['Speed Test', 'mdi-speedometer', 'network'], ['Television', 'mdi-television', 'media'],
  ['Music', 'mdi-music', 'media audio'], ['Mail', 'fas fa-envelope', 'office'],
  ['Calendar', 'fas fa-calendar', 'office'], ['Notes', 'fas fa-note-sticky', 'office'],
  ['Documents', 'fas fa-file-lines', 'office scans'], ['Photos', 'fas fa-image', 'media'],
  ['Books', 'fas fa-book', 'media reading'], ['Feeds', 'fas fa-rss', 'news'],
  ['Bookmarks', 'fas fa-bookmark', 'links'], ['Budget', 'fas fa-coins', 'money'],
  ['Tasks', 'fas fa-list-check', 'office'], ['Chat', 'fas fa-comments', 'people'],
  ['Logs', 'fas fa-scroll', 'monitoring'], ['Uptime', 'fas fa-heart-pulse', 'monitoring'],
  ['Games', 'fas fa-gamepad', 'fun'], ['Wiki', 'fas fa-graduation-cap', 'documents'],
];
const PLACES = ['home', 'attic', 'office', 'garage', 'cellar', 'studio', 'garden', 'lab'];
const ROLES = ['primary', 'replica', 'staging', 'archive', 'family', 'guest', 'test'];
const WHAT = [
  'Everything in one place', 'Runs under the stairs', 'Nightly copy, kept for a month', 'Look here when it is slow',
  'Needs the VPN from outside', 'Restarted every Sunday', 'Behind the reverse proxy',
];
const SECTIONS = [
  ['Media', 'fas fa-film'], ['Network', 'mdi-lan'], ['Monitoring', 'fas fa-chart-line'], ['Home', 'mdi-home-automation'],
  ['Storage', 'fas fa-hard-drive'], ['Development', 'fas fa-code'], ['Office', 'fas fa-briefcase'], ['Security', 'fas fa-lock'],
];

// Mulberry32: small and deterministic.
function generator(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const text = (value) => JSON.stringify(value);

// The text of a `conf.yml` with that many items; 10,000 items stay below the limit of 2 MB. Only the last item
// has the needle in its title.
export function dashboard(items) {
  const random = generator(items);
  const pick = (list) => list[random(list.length)];
  const lines = [
    'pageInfo:',
    '  title: Home',
    `  description: ${text(`A dashboard of ${items} items`)}`,
    '  navLinks:',
    '    - title: Router',
    '      path: https://router.home.example',
    'appConfig:',
    '  layout: auto',
    '  iconSize: medium',
    'sections:',
  ];
  for (let number = 0; number < items; number += 1) {
    if (number % ITEMS_PER_SECTION === 0) {
      const [name, icon] = SECTIONS[(number / ITEMS_PER_SECTION) % SECTIONS.length];
      const round = Math.floor(number / ITEMS_PER_SECTION / SECTIONS.length);
      lines.push(`  - name: ${text(round === 0 ? name : `${name} ${round + 1}`)}`, `    icon: ${icon}`, '    items:');
    }
    const [service, icon, tags] = number < SERVICES.length ? SERVICES[number] : pick(SERVICES);
    const [place, role] = [pick(PLACES), pick(ROLES)];
    const last = number === items - 1 ? ` ${NEEDLE}` : '';
    const host = service.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    lines.push(
      `      - title: ${text(`${service} ${place}${last}`)}`,
      `        description: ${text(`${pick(WHAT)} (${role})`)}`,
      `        icon: ${icon}`,
      `        url: https://${host}-${number}.${place}.example/`,
      `        tags: [${tags.split(' ').join(', ')}]`,
    );
  }
  return `${lines.join('\n')}\n`;
}
