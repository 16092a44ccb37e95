# It lies in the folder of a release, beside the archives: nix run path:/path/to/that/folder
# On NixOS: add `nixosModules.default` of this flake, and `services.portico.enable = true`.
{
  description = "Portico, a start page for everything you run";
  inputs.nixpkgs.url = "nixpkgs";

  outputs = { self, nixpkgs }:
    let
      version = "0.1.0";
      processors = { x86_64-linux = "x86_64"; aarch64-linux = "aarch64"; armv7l-linux = "armv7"; };
      package = system: pkgs: pkgs.stdenvNoCC.mkDerivation {
        pname = "portico";
        inherit version;
        src = ./. + "/portico-${version}-linux-${processors.${system}}.tar.gz";
        nativeBuildInputs = [ pkgs.installShellFiles ];
        installPhase = ''
          install -D portico $out/bin/portico
          install -D -m 644 portico.service $out/lib/systemd/system/portico.service
          substituteInPlace $out/lib/systemd/system/portico.service --replace-fail /usr/bin $out/bin
          installManPage portico.1
          installShellCompletion completions/portico.bash completions/portico.fish --zsh completions/_portico
        '';
        meta = { mainProgram = "portico"; license = pkgs.lib.licenses.mit; platforms = builtins.attrNames processors; };
      };
    in
    {
      packages = builtins.mapAttrs (system: _: { default = package system nixpkgs.legacyPackages.${system}; }) processors;

      nixosModules.default = { config, lib, pkgs, ... }:
        let settings = config.services.portico;
        in {
          options.services.portico = {
            enable = lib.mkEnableOption "Portico";
            environment = lib.mkOption {
              type = lib.types.attrsOf lib.types.str;
              default = { };
              example = { PORT = "9000"; };
              description = "Settings; `portico --help` lists all of them.";
            };
          };
          config = lib.mkIf settings.enable {
            systemd.packages = [ self.packages.${pkgs.stdenv.hostPlatform.system}.default ];
            systemd.services.portico = { wantedBy = [ "multi-user.target" ]; inherit (settings) environment; };
          };
        };
    };
}
