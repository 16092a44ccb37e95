var n=`# For everybody at home.
sections:
  - name: Today
    icon: mdi-white-balance-sunny
    widgets:
      - type: clock
      - type: weather
        # No key is needed.
        options:
          city: Berlin

  - name: Every day
    icon: mdi-home-heart
    displayData:
      itemSize: large
    items:
      - title: Calendar
        description: Who is where
        url: http://nextcloud.local/apps/calendar
        icon: mdi-calendar-month
      - title: Photos
        description: All of us
        url: http://immich.local:2283
        icon: hl-immich
      - title: Recipes
        description: What is for dinner
        url: http://mealie.local:9000
        icon: hl-mealie
      - title: Home
        description: Lights, heating, doors
        url: http://homeassistant.local:8123
        icon: hl-homeassistant

  - name: School and work
    icon: mdi-school-outline
    items:
      - title: Mail
        url: https://mail.example.com
        icon: mdi-email-outline
      - title: Files
        url: http://nextcloud.local
        icon: hl-nextcloud
      - title: Wikipedia
        url: https://www.wikipedia.org
        icon: si-wikipedia

  - name: Evening
    icon: mdi-sofa-outline
    items:
      - title: Films
        url: http://jellyfin.local:8096
        icon: hl-jellyfin
      - title: Books
        url: http://kavita.local:5000
        icon: hl-kavita
`;var a=`# For those who run their own machines.
sections:
  - name: Machines
    icon: mdi-server
    items:
      - title: Proxmox
        description: Virtual machines
        url: https://proxmox.local:8006
        icon: hl-proxmox
      - title: NAS
        description: Disks and shares
        url: http://nas.local
        icon: mdi-nas
      - title: Portainer
        description: Containers
        url: https://docker.local:9443
        icon: hl-portainer
      - title: Router
        description: The way out
        url: http://192.168.1.1
        icon: mdi-router-wireless

  - name: Services
    icon: mdi-apps
    items:
      - title: Home Assistant
        description: Lights, heating, doors
        url: http://homeassistant.local:8123
        icon: hl-homeassistant
      - title: Nextcloud
        description: Files and calendars
        url: http://nextcloud.local
        icon: hl-nextcloud
      - title: Vaultwarden
        description: Passwords
        url: https://vaultwarden.local
        icon: hl-vaultwarden
      - title: Gitea
        description: Repositories
        url: http://gitea.local:3000
        icon: hl-gitea

  - name: Network
    icon: mdi-lan
    items:
      - title: Pi-hole
        description: Names, without advertisements
        url: http://pi.hole/admin
        icon: hl-pihole
      - title: Uptime Kuma
        description: What is up
        url: http://uptime.local:3001
        icon: hl-uptimekuma
      - title: Grafana
        description: Figures over time
        url: http://grafana.local:3000
        icon: hl-grafana

  - name: Now
    icon: mdi-clock-outline
    widgets:
      - type: clock
`;var r=`# For films, music and books, and what gets them there.
sections:
  - name: Watch and listen
    icon: mdi-play-circle-outline
    displayData:
      itemSize: large
    items:
      - title: Jellyfin
        description: Films and series
        url: http://jellyfin.local:8096
        icon: hl-jellyfin
      - title: Navidrome
        description: Music
        url: http://navidrome.local:4533
        icon: hl-navidrome
      - title: Audiobookshelf
        description: Audiobooks and podcasts
        url: http://audiobookshelf.local:13378
        icon: hl-audiobookshelf
      - title: Kavita
        description: Books and comics
        url: http://kavita.local:5000
        icon: hl-kavita

  - name: Wishes
    icon: mdi-movie-search-outline
    items:
      - title: Jellyseerr
        description: Ask for something new
        url: http://jellyseerr.local:5055
        icon: hl-jellyseerr
      - title: Sonarr
        description: Series
        url: http://sonarr.local:8989
        icon: hl-sonarr
      - title: Radarr
        description: Films
        url: http://radarr.local:7878
        icon: si-radarr
      - title: Lidarr
        description: Music
        url: http://lidarr.local:8686
        icon: hl-lidarr

  - name: Downloads
    icon: mdi-download
    items:
      - title: qBittorrent
        url: http://qbittorrent.local:8080
        icon: hl-qbittorrent
      - title: SABnzbd
        url: http://sabnzbd.local:8080
        icon: hl-sabnzbd
      - title: Prowlarr
        description: Indexers
        url: http://prowlarr.local:9696
        icon: hl-prowlarr
`;var s=`# A few links, and nothing else.
sections:
  - name: Everyday
    items:
      - title: Router
        url: http://192.168.1.1
        icon: mdi-router-wireless
      - title: Mail
        url: https://mail.example.com
        icon: mdi-email-outline
      - title: Calendar
        url: https://calendar.example.com
        icon: mdi-calendar-month
      - title: Files
        url: http://nas.local
        icon: mdi-folder-outline
`;var k={family:n,homelab:a,media:r,minimal:s},y=`sections:
  - name: Services
`,l='[data-edit^="add-widget-"]';function g(t,{start:i="",replaces:m}){let o=k[i],e=m!==void 0;if(o){let h=i[0].toUpperCase()+i.slice(1);t.take_template(o,`Start with the template “${h}”`,e)}else i==="import"?t.open_import():i==="widgets"&&e?d(l)||c(l):(c(i==="widgets"?l:'[data-edit="add-item-0"]'),t.take_template(y,"Add section “Services”",e))}function d(t){let i=[...document.querySelectorAll(t)].at(-1);return i?.click(),i!==void 0}function c(t){let i=()=>{d(t)&&document.removeEventListener("portico:changed",i)};document.addEventListener("portico:changed",i)}export{g as default};
