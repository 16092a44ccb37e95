#!/usr/bin/env bash
# Runs in the new container. OWNER is whoever publishes the releases.
# License: MIT

# shellcheck source=/dev/null
source /dev/stdin <<<"$FUNCTIONS_FILE_PATH"
color
verb_ip6
catch_errors
setting_up_container
network_check
update_os

# The package makes the user and starts the service.
fetch_and_deploy_gh_release "portico" "OWNER/portico" "binary"

motd_ssh
customize
cleanup_lxc
